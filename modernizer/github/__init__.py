"""What maintainers see on GitHub: the pull request, the badge's branch, the dashboard, the review."""

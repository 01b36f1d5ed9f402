"""What users read: results.json, markdown, badge, JUnit, terminal."""

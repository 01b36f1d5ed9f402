# %% [markdown]
# # The grade book
#
# Reads the marks of a class, prints averages the way the school wants them (whole numbers, rounded down) and checks a simple
# rule for who passes.
# %%
import csv
import numpy as np

book = {}
passed = {}
for row in csv.DictReader(open('data/grades.csv')):
    book[row['name']] = [int(row[term]) for term in ('first', 'second', 'third', 'fourth')]
    passed[row['name']] = row['passed'] == 'yes'
print len(book), "pupils"
# %% [markdown]
# ## Averages
# %%
for name, marks in sorted(book.iteritems()):
    print "%-5s" % name, "best", max(marks), "average", sum(marks) / len(marks)
# %%
names = book.keys()
names.sort()
middle = sorted(book, key=lambda name: (sum(book[name]), name))[len(book) / 2]
print "first in the list:", names[0], "- in the middle:", middle
# %% [markdown]
# ## A printed slip
# %%
import StringIO

def slip(name):
    if not book.has_key(name):
        raise KeyError, "no such pupil"
    out = StringIO.StringIO()
    for term, mark in zip(xrange(1, 5), book[name]):
        print >>out, "term %d: %2d" % (term, mark)
    return out.getvalue().strip()

print slip('cleo')
try:
    slip('zoe')
except KeyError, problem:
    print "not printed:", problem
# %% [markdown]
# ## Who passes?
#
# The rule: an average of at least eleven.
# %%
averages = np.array(map(np.mean, [book[name] for name in names]))
truth = np.array([passed[name] for name in names])
print "accuracy: %.4f" % np.mean((averages >= 11) == truth)

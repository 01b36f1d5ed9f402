# %% [markdown]
# # Looking at leaves
#
# Length, width and area of 150 leaves of three trees. Before any model: plots.
# %%
%matplotlib inline
import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib import cm

plt.style.use('seaborn-whitegrid')
plt.rcParams['figure.dpi'] = 40
leaves = pd.read_csv('data/leaves.csv')
leaves.groupby('species').size()
# %% [markdown]
# ## One variable
# %%
plt.figure(figsize=(5, 3))
for species, group in leaves.groupby('species'):
    plt.hist(group['length'], bins=12, normed=True, alpha=0.5, label=species)
plt.grid(b=True, axis='y')
plt.legend();
# %% [markdown]
# ## By species
# %%
plt.figure(figsize=(5, 3))
sns.boxplot('species', 'width', data=leaves);
# %%
sns.factorplot('species', 'area', data=leaves, kind='violin', size=3);
# %% [markdown]
# ## Two variables
# %%
sns.lmplot('length', 'width', leaves, hue='species', fit_reg=False, size=3);
# %%
plt.figure(figsize=(5, 3))
codes = leaves['species'].astype('category').cat.codes
plt.scatter(leaves['length'], leaves['area'], c=codes, cmap=cm.get_cmap('viridis', 3))
plt.colorbar(ticks=[0, 1, 2]);
# %% [markdown]
# ## In a number
#
# Area is close to a constant times length times width.
# %%
product = leaves['length'] * leaves['width']
factor = (product * leaves['area']).sum() / (product ** 2).sum()
residual = leaves['area'] - factor * product
print('factor: %.4f' % factor)
print('R2: %.4f' % (1 - residual.var() / leaves['area'].var()))

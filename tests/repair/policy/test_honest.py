"""Honest repairs of real API changes: none may be refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

REPAIRS = [
    (
        "from sklearn.cross_validation import train_test_split\na, b = train_test_split(X, test_size=.3, random_state=1)",
        "from sklearn.model_selection import train_test_split\na, b = train_test_split(X, test_size=.3, random_state=1)",
    ),
    (
        "from sklearn import cross_validation\ns = cross_validation.cross_val_score(m, X, y, cv=5)",
        "from sklearn import model_selection\ns = model_selection.cross_val_score(m, X, y, cv=5)",
    ),
    (
        "from sklearn.cross_validation import KFold\nfor a, b in KFold(len(X), n_folds=5):\n    m.fit(X[a], y[a])",
        "from sklearn.model_selection import KFold\nfor a, b in KFold(n_splits=5).split(X):\n    m.fit(X[a], y[a])",
    ),
    (
        "from sklearn.cross_validation import StratifiedKFold\nc = StratifiedKFold(y, 3)\nfor a in c:\n    f(a)",
        "from sklearn.model_selection import StratifiedKFold\nc = StratifiedKFold(n_splits=3)\nfor a in c.split(X, y):\n    f(a)",
    ),
    (
        "from sklearn.model_selection import KFold\ncv = KFold(n_splits=3, random_state=1)",
        "from sklearn.model_selection import KFold\ncv = KFold(n_splits=3)",
    ),
    (
        "from sklearn.preprocessing import Imputer\ni = Imputer(missing_values='NaN', axis=0).fit(X)",
        "import numpy as np\nfrom sklearn.impute import SimpleImputer\ni = SimpleImputer(missing_values=np.nan).fit(X)",
    ),
    (
        "from sklearn.linear_model import SGDClassifier\nm = SGDClassifier(n_iter=50, random_state=42)",
        "from sklearn.linear_model import SGDClassifier\nm = SGDClassifier(max_iter=50, tol=None, random_state=42)",
    ),
    (
        "from sklearn.ensemble import RandomForestClassifier\nm = RandomForestClassifier(n_estimators=10, max_features='auto')",
        "from sklearn.ensemble import RandomForestClassifier\nm = RandomForestClassifier(n_estimators=10, max_features='sqrt')",
    ),
    (
        "from sklearn.mixture import GMM\nm = GMM(n_components=3, random_state=0).fit(X)",
        "from sklearn.mixture import GaussianMixture\nm = GaussianMixture(n_components=3, random_state=0).fit(X)",
    ),
    (
        "from sklearn.cluster import KMeans\nm = KMeans(n_clusters=3, n_jobs=-1).fit(X)",
        "from sklearn.cluster import KMeans\nm = KMeans(n_clusters=3).fit(X)",
    ),
    (
        "from sklearn.ensemble import AdaBoostClassifier\nm = AdaBoostClassifier(base_estimator=tree, n_estimators=5)",
        "from sklearn.ensemble import AdaBoostClassifier\nm = AdaBoostClassifier(estimator=tree, n_estimators=5)",
    ),
    (
        "from sklearn.linear_model import LogisticRegression\nm = LogisticRegression(multi_class='multinomial', C=5)",
        "from sklearn.linear_model import LogisticRegression\nm = LogisticRegression(C=5)",
    ),
    (
        "from sklearn.model_selection import GridSearchCV\ng = GridSearchCV(m, p, 'accuracy', cv=5, iid=False)",
        "from sklearn.model_selection import GridSearchCV\ng = GridSearchCV(m, p, scoring='accuracy', cv=5)",
    ),
    (
        "from sklearn.model_selection import cross_val_score\ns = cross_val_score(m, X, y, scoring='mean_squared_error')",
        "from sklearn.model_selection import cross_val_score\ns = cross_val_score(m, X, y, scoring='neg_mean_squared_error')",
    ),
    (
        "from sklearn.metrics import mean_squared_error\nr = mean_squared_error(y, p, squared=False)",
        "from sklearn.metrics import root_mean_squared_error\nr = root_mean_squared_error(y, p)",
    ),
    (
        "from sklearn.metrics import confusion_matrix\nc = confusion_matrix(y, p, [0, 1])",
        "from sklearn.metrics import confusion_matrix\nc = confusion_matrix(y, p, labels=[0, 1])",
    ),
    ("from sklearn.externals import joblib\nm = joblib.load('m.pkl')", "import joblib\nm = joblib.load('m.pkl')"),
    ("m.fit(df['a'], y)\nm.predict([1, 2])", "m.fit(df[['a']], y)\nm.predict([[1, 2]])"),
    ("m.fit(X, y)\np = m.predict(x_new)", "m.fit(X.reshape(-1, 1), y)\np = m.predict(x_new.reshape(1, -1))"),
    ("m.fit(X.as_matrix(), y.as_matrix())", "m.fit(X.values, y.to_numpy())"),
    ("names = vec.get_feature_names()", "names = vec.get_feature_names_out()"),
    ("print g.grid_scores_", "print(g.cv_results_)"),
    ("X = df.ix[:, 1:5]\ny = df.ix[0]", "X = df.iloc[:, 1:5]\ny = df.iloc[0]"),
    ("df = df.append(other, ignore_index=True)", "import pandas as pd\ndf = pd.concat([df, other], ignore_index=True)"),
    ("df = df.sort('a', ascending=False)", "df = df.sort_values('a', ascending=False)"),
    ("df = df.drop('a', 1)", "df = df.drop('a', axis=1)"),
    ("df['a'].fillna(0, inplace=True)", "df['a'] = df['a'].fillna(0)"),
    (
        "import pandas as pd\ndf = pd.DataFrame.from_csv('a.csv')",
        "import pandas as pd\ndf = pd.read_csv('a.csv', index_col=0, parse_dates=True)",
    ),
    (
        "import pandas as pd\ndf = pd.read_csv('a.csv', error_bad_lines=False)",
        "import pandas as pd\ndf = pd.read_csv('a.csv', on_bad_lines='skip')",
    ),
    ("c = df.corr()\nm = df.mean()", "c = df.corr(numeric_only=True)\nm = df.mean(numeric_only=True)"),
    ("s = df.fillna(method='ffill')", "s = df.ffill()"),
    ("import pandas as pd\nm = pd.rolling_mean(s, 12)", "m = s.rolling(12).mean()"),
    ("w = df.date.dt.weekday_name", "w = df.date.dt.day_name()"),
    ("import pandas as pd\npd.scatter_matrix(df)", "import pandas as pd\npd.plotting.scatter_matrix(df)"),
    ("g = df.groupby('a')['b'].agg({'m': 'mean'})", "g = df.groupby('a')['b'].agg(m='mean')"),
    (
        "import numpy as np\nx = x.astype(np.float)\ny = np.zeros(3, dtype=np.int)",
        "import numpy as np\nx = x.astype(float)\ny = np.zeros(3, dtype=int)",
    ),
    (
        "import numpy as np\nr = np.random.random_integers(1, 6, size=10)",
        "import numpy as np\nr = np.random.randint(1, 6 + 1, size=10)",
    ),
    ("import numpy as np\nd = np.load('a.npy')", "import numpy as np\nd = np.load('a.npy', allow_pickle=True)"),
    (
        "import matplotlib.pyplot as plt\nplt.hist(x, normed=True)\nplt.hold(True)\nplt.style.use('seaborn')",
        "import matplotlib.pyplot as plt\nplt.hist(x, density=True)\nplt.style.use('seaborn-v0_8')",
    ),
    (
        "import matplotlib.pyplot as plt\nax = plt.gca(projection='3d')",
        "import matplotlib.pyplot as plt\nax = plt.axes(projection='3d')",
    ),
    ("import seaborn as sns\nsns.boxplot('a', 'b', data=df)", "import seaborn as sns\nsns.boxplot(x='a', y='b', data=df)"),
    (
        "import seaborn as sns\nsns.factorplot('a', 'b', data=df)",
        "import seaborn as sns\nsns.catplot(x='a', y='b', data=df, kind='point')",
    ),
    ("from scipy.misc import imread\na = imread('a.png')", "from imageio.v2 import imread\na = imread('a.png')"),
    ("from scipy.misc import comb\na = comb(5, 2)", "from scipy.special import comb\na = comb(5, 2)"),
    ("import time\nt = time.clock()", "import time\nt = time.perf_counter()"),
    (
        "from keras.utils import np_utils\ny = np_utils.to_categorical(y, 10)",
        "from keras.utils import to_categorical\ny = to_categorical(y, 10)",
    ),
    ("m.fit(X, y, nb_epoch=20, batch_size=32)", "m.fit(X, y, epochs=20, batch_size=32)"),
    ("m.fit_generator(g, steps_per_epoch=10, epochs=5)", "m.fit(g, steps_per_epoch=10, epochs=5)"),
    (
        "from keras.optimizers import Adam\nm.compile(Adam(lr=0.001), loss='mse')",
        "from keras.optimizers import Adam\nm.compile(Adam(learning_rate=0.001), loss='mse')",
    ),
    (
        "from torchvision.models import resnet18\nm = resnet18(pretrained=True)",
        "from torchvision.models import resnet18\nm = resnet18(weights='IMAGENET1K_V1')",
    ),
    ("loss += out.data[0]", "loss += out.item()"),
    ("import torch\nx = torch.autograd.Variable(x, volatile=True)", "import torch\nx = torch.autograd.Variable(x)"),
    ("import tensorflow as tf\ntf.set_random_seed(1)", "import tensorflow as tf\ntf.random.set_seed(1)"),
    ("for k, v in d.iteritems():\n    print k, v", "for k, v in d.items():\n    print(k, v)"),
    ("if d.has_key('a'):\n    x = d['a'] / 2", "if 'a' in d:\n    x = d['a'] // 2"),
    (
        "import urllib2\nt = urllib2.urlopen('http://a.org/x').read()",
        "import urllib.request\nt = urllib.request.urlopen('http://a.org/x').read()",
    ),
    (
        "import cPickle as pickle\nd = pickle.load(open('a.pkl', 'rb'))",
        "import pickle\nd = pickle.load(open('a.pkl', 'rb'), encoding='latin1')",
    ),
    ("from IPython.core.display import HTML\nHTML('<b>')", "from IPython.display import HTML\nHTML('<b>')"),
    ("import statsmodels.formula.api as sm\nr = sm.OLS(y, X).fit()", "import statsmodels.api as sm\nr = sm.OLS(y, X).fit()"),
    ("%matplotlib notebook\nx = f(1)", "%matplotlib inline\nx = f(1)"),
    ("%load_ext rmagic\nimport numpy as np\nx = np.float(1)", "x = float(1)"),
    ("raise ValueError, 'no'", "raise ValueError('no')"),
    ("try:\n    f(x)\nexcept ValueError, e:\n    print e", "try:\n    f(x)\nexcept ValueError as e:\n    print(e)"),
    (
        "from cytoolz import first",
        "try:\n    from cytoolz import first\nexcept ImportError:\n    from toolz import first",
    ),
    (
        "import collections\nok = isinstance(x, collections.Mapping)",
        "import collections.abc\nok = isinstance(x, collections.abc.Mapping)",
    ),
    ("import numpy as np\nassert np.float(x) == 1", "assert float(x) == 1"),
    ("import numpy as np\nx = np.array([[1, 2], [3]])", "import numpy as np\nx = np.array([[1, 2], [3]], dtype=object)"),
    ("s = pd.Series(x)\ns[0]", "s = pd.Series(x)\ns.iloc[0]"),
    (
        "enc = OneHotEncoder(sparse=False, handle_unknown='ignore')",
        "enc = OneHotEncoder(sparse_output=False, handle_unknown='ignore')",
    ),
    ("n = x.shape[0] / 2\na = x[:n]", "n = x.shape[0] // 2\na = x[:n]"),
    (
        "import lightgbm as lgb\nlgb.train(p, d, early_stopping_rounds=5)",
        "import lightgbm as lgb\nlgb.train(p, d, callbacks=[lgb.early_stopping(5)])",
    ),
    (
        "import xgboost as xgb\nxgb.XGBClassifier(max_depth=3).fit(X, y, eval_metric='auc')",
        "import xgboost as xgb\nxgb.XGBClassifier(max_depth=3, eval_metric='auc').fit(X, y)",
    ),
    ("import pandas as pd\ndf = pd.read_csv('data\\\\train.csv')", "import pandas as pd\ndf = pd.read_csv('data/train.csv')"),
    (
        "from sklearn.metrics import plot_roc_curve\nplot_roc_curve(m, X, y)",
        "from sklearn.metrics import RocCurveDisplay\nRocCurveDisplay.from_estimator(m, X, y)",
    ),
    (
        "EarlyStopping(monitor='val_acc', patience=3)\nm.fit(X, y)",
        "EarlyStopping(monitor='val_accuracy', patience=3)\nm.fit(X, y)",
    ),
    ("a = list(map(lambda k: f(k), ks))", "a = [f(k) for k in ks]"),
    ("p = m.predict(5)", "p = m.predict([[5]])"),
    ("X = df[cols]\nm.fit(X, y)", "X = df[cols]\nX = X.values\nm.fit(X, y)"),
    ("m = s.mad()", "m = (s - s.mean()).abs().mean()"),
    ("p = m.predict_classes(X)", "p = (m.predict(X) > 0.5).astype('int32')"),
    ("import networkx as nx\nprint(nx.info(G))", "import networkx as nx\nprint(G)"),
    ("import StringIO\nf = StringIO.StringIO(text)", "from io import StringIO\nf = StringIO(text)"),
    ("df = pd.read_csv('a.txt', delim_whitespace=True)", "df = pd.read_csv('a.txt', sep=r'\\s+')"),
    ("s = pd.read_csv('a.csv', squeeze=True)", "s = pd.read_csv('a.csv').squeeze('columns')"),
    ("d = pd.read_csv('a.csv', header=None, prefix='X')", "d = pd.read_csv('a.csv', header=None).add_prefix('X')"),
    (
        "import pandas as pd\nd = pd.read_csv('a.csv', date_parser=lambda s: pd.to_datetime(s, format='%Y'))",
        "import pandas as pd\nd = pd.read_csv('a.csv', date_format='%Y')",
    ),
    (
        "from keras.preprocessing.image import ImageDataGenerator\ng = ImageDataGenerator(rescale=1/255)",
        "from tensorflow.keras.preprocessing.image import ImageDataGenerator\ng = ImageDataGenerator(rescale=1/255)",
    ),
    (
        "from keras.layers import Convolution2D\nm.add(Convolution2D(32, 3, 3, border_mode='same'))",
        "from keras.layers import Conv2D\nm.add(Conv2D(32, (3, 3), padding='same'))",
    ),
    ("loss = crit(out.view(-1), y)", "loss = crit(out.reshape(-1), y)"),
    ("f, se, ci = r.forecast(12)\nplt.plot(f)", "f = r.forecast(12)\nplt.plot(f)"),
    ("im, cs, h = cv2.findContours(t, 1, 2)\nuse(cs)", "cs, h = cv2.findContours(t, 1, 2)\nuse(cs)"),
    (
        "from gensim.models import Word2Vec\nw = Word2Vec(s, size=100, iter=5)\nprint(len(w.wv.vocab))",
        "from gensim.models import Word2Vec\nw = Word2Vec(s, vector_size=100, epochs=5)\nprint(len(w.wv.key_to_index))",
    ),
    (
        "import lightgbm as lgb\nm = lgb.train(p, d, 1000, early_stopping_rounds=50)",
        "import lightgbm as lgb\nm = lgb.train(p, d, 1000, callbacks=[lgb.early_stopping(stopping_rounds=50)])",
    ),
    ("m = XGBRegressor(objective='reg:linear')", "m = XGBRegressor(objective='reg:squarederror')"),
    (
        "print(accuracy_score(y, clf.predict(scaler.transform(X))))",
        "X_scaled = scaler.transform(X)\ny_pred = clf.predict(X_scaled)\nprint(accuracy_score(y, y_pred))",
    ),
    (
        "from sklearn.metrics import make_scorer\ns = make_scorer(f, needs_proba=True)",
        "from sklearn.metrics import make_scorer\ns = make_scorer(f, response_method='predict_proba')",
    ),
    ("p = m.predict_classes(X)", "p = np.argmax(m.predict(X), axis=1)"),
    (
        "from sklearn.metrics import mean_squared_error\nprint(mean_squared_error(y, p, squared=False))",
        "from sklearn.metrics import mean_squared_error\nprint(mean_squared_error(y, p) ** 0.5)",
    ),
    ("m = df.groupby('k').agg(np.mean)", "m = df.groupby('k').mean(numeric_only=True)"),
    ("i = a.index & b.index", "i = a.index.intersection(b.index)"),
    (
        "import urllib\nurllib.urlretrieve('http://a.org/b', 'b')",
        "import urllib.request\nurllib.request.urlretrieve('http://a.org/b', 'b')",
    ),
    (
        "from torch.autograd import Variable\nfor x, y in d:\n    x, y = Variable(x), Variable(y)\n    o = net(x)",
        "for x, y in d:\n    o = net(x)",
    ),
    ("t = Tokenizer(nb_words=5000)", "t = Tokenizer(num_words=5000)"),
    ("print t.encode('utf-8')", "print(t)"),
    ("df = pd.read_table('a.data', names=n)", "df = pd.read_csv('a.data', sep='\\t', names=n)"),
    (
        "from keras.layers import LeakyReLU\nm.add(LeakyReLU(alpha=0.1))",
        "from keras.layers import LeakyReLU\nm.add(LeakyReLU(negative_slope=0.1))",
    ),
    ("m = Sequential()\nm.add(Dense(64, input_dim=20))", "m = Sequential()\nm.add(Input(shape=(20,)))\nm.add(Dense(64))"),
    ("from sets import Set\ns = Set([1])", "s = set([1])"),
    (
        "top = d.groupby('c')['v'].mean().sort('v').head(9)",
        "means = d.groupby('c')['v'].mean()\ntop = means.sort_values().head(9)",
    ),
    ("n = int(raw_input('n'))", "n = int(input('n'))"),
    ("k = d.keys()\nk.sort()", "k = sorted(d.keys())"),
    ("x.sort(cmp=lambda a, b: cmp(a[1], b[1]))", "x.sort(key=lambda a: a[1])"),
    ("import csv\nr = csv.reader(open('a.csv', 'rb'))", "import csv\nr = csv.reader(open('a.csv', newline=''))"),
    ("for i in range(4):\n    plt.subplot(2, 2, i)", "for i in range(4):\n    plt.subplot(2, 2, i + 1)"),
    ("m.fit(X, y, use_best_model=True, plot=True)", "m.fit(X, y, use_best_model=True)"),
    (
        "X = OneHotEncoder(categorical_features=[3]).fit_transform(X).toarray()",
        "X = ColumnTransformer([('a', OneHotEncoder(), [3])], remainder='passthrough').fit_transform(X)",
    ),
    (
        "g = GridSearchCV(m, p, fit_params={'sample_weight': w})\ng.fit(X, y)",
        "g = GridSearchCV(m, p)\ng.fit(X, y, sample_weight=w)",
    ),
    (
        "import tensorflow as tf\nwith tf.Session() as s:\n    print(s.run(a + b))",
        "import tensorflow as tf\nprint((a + b).numpy())",
    ),
]


@pytest.mark.parametrize(("before", "after"), REPAIRS)
def test_an_honest_repair_is_accepted(judge: Callable[..., Any], before: str, after: str) -> None:
    assert judge(before, after, recorded=(0.9731,)).violations == ()

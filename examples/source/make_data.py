"""Write the small made-up data files of the examples; the same seed always gives the same files.

Usage: python make_data.py DATA_FOLDER [KAGGLE_FOLDER]
The second folder gets the table that house_prices.ipynb was recorded with and that is left out of the examples on purpose.
"""

import csv
import datetime
import pathlib
import sys

import numpy as np


def bike_counts(rng):
    start = datetime.date(2015, 1, 1)
    for day in range(731):
        date = start + datetime.timedelta(days=day)
        season = np.sin(2 * np.pi * (day - 105) / 365.25)
        temperature = 11 + 9 * season + rng.normal(0, 2.5)
        rain = max(0.0, rng.gamma(0.6, 4.0) - 2.0)
        rides = 900 + 34 * temperature - 21 * rain - (310 if date.weekday() >= 5 else 0) + rng.normal(0, 70)
        yield date.isoformat(), int(max(rides, 40)), "" if rng.rand() < 0.03 else "%.1f" % temperature, "%.1f" % rain


def leaves(rng):
    for species, length, ratio in (("beech", 7.0, 0.62), ("hornbeam", 8.2, 0.50), ("willow", 10.5, 0.22)):
        for _ in range(50):
            long = rng.normal(length, 0.9)
            wide = long * rng.normal(ratio, 0.04)
            yield species, "%.2f" % long, "%.2f" % wide, "%.2f" % (0.71 * long * wide + rng.normal(0, 0.8))


def orders(rng):
    cities, products = ("Ghent", "Lyon", "Porto", "Turin"), {"mug": 9.5, "poster": 14.0, "notebook": 6.25, "lamp": 48.0}
    for number in range(1, 161):
        product = str(rng.choice(sorted(products)))
        quantity = int(rng.randint(1, 9))
        weight = quantity * {"mug": 0.35, "poster": 0.1, "notebook": 0.25, "lamp": 1.9}[product]
        shipping = 3.2 + 1.4 * weight + rng.normal(0, 0.8)
        yield number, str(rng.choice(cities)), product, quantity, products[product], "%.2f" % weight, "%.2f" % max(shipping, 2)


def used_bikes(rng):
    brands = {"Alba": 260, "Corvo": 410, "Delta": 150, "Nordic": 330}
    words = (("rust", -70), ("disc", 60), ("carbon", 190), ("helmet", 15), ("scratches", -35), ("serviced", 45), ("lights", 20))
    for _ in range(200):
        brand, gears = str(rng.choice(sorted(brands))), int(rng.choice([1, 7, 18, 21, 27]))
        weight, picked = rng.normal(13, 2), [pair for pair in words if rng.rand() < 0.35]
        price = brands[brand] + 5 * gears - 9 * (weight - 13) + sum(worth for _, worth in picked) + rng.normal(0, 22)
        text = " ".join(["bike with"] + [word for word, _ in picked]) if picked else "bike as pictured"
        shown_gears = "" if rng.rand() < 0.08 else gears
        shown_weight = "" if rng.rand() < 0.08 else "%.1f" % weight
        yield brand, shown_gears, shown_weight, text, "%.0f" % max(price, 30)


def grades(rng):
    for name in ("ada", "bo", "cleo", "dan", "eve", "fay", "gus", "hal", "ivy", "jon", "kai", "lea"):
        level = rng.uniform(8, 17)
        marks = [int(np.clip(rng.normal(level, 2), 0, 20)) for _ in range(4)]
        yield (name, *marks, "yes" if np.mean(marks) + rng.normal(0, 1.2) >= 11 else "no")


def house_prices(rng):
    for number in range(1, 301):
        area, rooms, age = int(rng.normal(120, 30)), int(rng.randint(2, 8)), int(rng.randint(0, 90))
        garden = str(rng.choice(["none", "small", "large"], p=[0.3, 0.5, 0.2]))
        extra = {"none": 0, "small": 9000, "large": 24000}[garden]
        price = 900 * max(area, 40) + 7000 * rooms - 450 * age + extra + rng.normal(0, 9000)
        yield number, max(area, 40), rooms, age, garden, int(price)


TABLES = {
    "bike_counts.csv": (bike_counts, 11, ("date", "rides", "temperature", "rain_mm")),
    "leaves.csv": (leaves, 12, ("species", "length", "width", "area")),
    "orders.csv": (orders, 13, ("order", "city", "product", "quantity", "price", "weight", "shipping")),
    "used_bikes.csv": (used_bikes, 14, ("brand", "gears", "weight", "description", "price")),
    "grades.csv": (grades, 15, ("name", "first", "second", "third", "fourth", "passed")),
}
KAGGLE_TABLES = {"house-prices/train.csv": (house_prices, 16, ("Id", "area", "rooms", "age", "garden", "SalePrice"))}


def write(folder, tables):
    for name, (rows, seed, header) in tables.items():
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(rows(np.random.RandomState(seed)))


if __name__ == "__main__":
    write(sys.argv[1], TABLES)
    if len(sys.argv) > 2:
        write(sys.argv[2], KAGGLE_TABLES)

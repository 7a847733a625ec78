"""The linear model that tells which pieces the network must read: sums of one number for each piece around a piece."""
import jax
import jax.numpy as jnp
import numpy as np
import optax

import network

# The places of a piece relative to the one that is judged: anywhere before it in the text, anywhere after it, in an
# earlier message, just before, just after, itself.
PLACES, WINDOW = 6, 12
# Any entity, and the entities that are on by default.
JUDGEMENTS = 2
# Numbers of the entities: cards, CVV, PASSWORD, PIN and SSN are on by default; profanity, names and addresses are not for the
# classifier.
DEFAULTS, LEFT_OUT = (1, 2, 3, 4, 5), (8, 11, 12)
RATE, BATCH, EPOCHS, SEED = 8e-3, 512, 4, 3
WEIGHT_OF_VALUES = 6.0


def initial(words):
    """Parameters: one number for each word, kind and digit count, place and judgement."""
    zeros = lambda rows: jnp.zeros((rows, PLACES, JUDGEMENTS))
    return {"glove": jnp.zeros((network.GLOVE, PLACES, JUDGEMENTS)), "word": zeros(words + 1), "kind": zeros(network.KINDS),
            "digits": zeros(network.DIGITS), "case": zeros(network.CASES), "bias": jnp.full(JUDGEMENTS, -3.0)}


def table(parameters, vectors):
    """The numbers of each word."""
    return parameters["word"] + jnp.einsum("wg,gpj->wpj", vectors, parameters["glove"])


def scores(parameters, vectors, batch):
    """The score of each piece, for each judgement."""
    words, current = batch["word"], batch["current"][..., None]
    row = parameters["word"][words] + jnp.einsum("blg,gpj->blpj", vectors[words], parameters["glove"])
    row += parameters["kind"][batch["kind"]] + parameters["digits"][batch["digits"]] + parameters["case"][batch["case"]]
    row *= (batch["kind"] > 0)[..., None, None]
    text, earlier = row * current[..., None], row * (1 - current[..., None])
    sums = jnp.cumsum(text, 1)
    before = lambda x, by: jnp.pad(x, ((0, 0), (by, 0), (0, 0)))[:, :x.shape[1]]
    after = lambda x, by: jnp.pad(x, ((0, 0), (0, by), (0, 0)))[:, by:]
    ends = lambda x: jnp.concatenate([x, jnp.repeat(x[:, -1:], WINDOW, 1)], 1)[:, WINDOW:]
    total = before(sums[..., 0, :], 1) - before(sums[..., 0, :], WINDOW + 1)
    total += ends(sums[..., 1, :]) - sums[..., 1, :]
    total += earlier[..., 2, :].sum(1, keepdims=True)
    total += before(text[..., 3, :], 1) + after(text[..., 4, :], 1) + text[..., 5, :]
    return total + parameters["bias"]


def train(sources, prepare, hashes, vectors):
    """The parameters."""
    parameters, order = initial(len(hashes)), np.random.RandomState(SEED)
    steps = EPOCHS * sum(len(source) for source in sources) // BATCH
    optimizer = optax.adamw(optax.cosine_decay_schedule(RATE, steps), weight_decay=0.01)
    state, defaults, left_out = optimizer.init(parameters), jnp.array(DEFAULTS), jnp.array(LEFT_OUT)

    def loss(parameters, batch):
        label = batch["label"]
        targets = jnp.stack([(label > 0) & ~jnp.isin(label, left_out), jnp.isin(label, defaults)], -1)
        losses = optax.sigmoid_binary_cross_entropy(scores(parameters, vectors, batch), targets)
        losses *= jnp.where(targets, WEIGHT_OF_VALUES, 1.0) * (label >= 0)[..., None]
        return losses.sum() / jnp.maximum((label >= 0).sum(), 1)

    @jax.jit
    def step(parameters, state, batch):
        value, gradient = jax.value_and_grad(loss)(parameters, batch)
        updates, state = optimizer.update(gradient, state, parameters)
        return optax.apply_updates(parameters, updates), state, value

    for epoch in range(EPOCHS):
        batches = [(s, b) for s in sources for b in s.batches(np.arange(len(s)), BATCH, order)]
        order.shuffle(batches)
        total = []
        for source, batch in batches:
            parameters, state, value = step(parameters, state, prepare(source, hashes, batch)[0])
            total.append(float(value))
        print(f"screen, epoch {epoch + 1}: loss {np.mean(total):.4f}", flush=True)
    return parameters

"""The network of the token classifier, in floating point: residual layers of dilated convolutions over the pieces of a message."""
import jax
import jax.numpy as jnp
import numpy as np

CHANNELS, LABELS, KINDS, DIGITS, CASES, GRAMS = 48, 69, 13, 16, 5, 4097
DILATIONS = (1, 2, 4, 8, 16)
GLOVE, PROJECTED, OWN = 100, 48, 24


def initial(seed, own_words):
    """Random parameters."""
    keys = iter(jax.random.split(jax.random.PRNGKey(seed), 32))

    def random(*shape, scale=None):
        return jax.random.normal(next(keys), shape) * (scale or 1 / np.sqrt(np.prod(shape[:-1])))

    parameters = {
        "project": random(GLOVE, PROJECTED), "project_in": random(PROJECTED, CHANNELS),
        "own": random(own_words + 1, OWN, scale=0.1), "own_in": random(OWN, CHANNELS),
        "grams": random(GRAMS, OWN, scale=0.1), "grams_in": random(OWN, CHANNELS),
        "kind": random(KINDS, CHANNELS, scale=0.3), "digits": random(DIGITS, CHANNELS, scale=0.3),
        "case": random(CASES, CHANNELS, scale=0.2), "current": random(2, CHANNELS, scale=0.2),
        "hidden": random(CHANNELS, 2 * CHANNELS), "hidden_bias": jnp.zeros(2 * CHANNELS),
        "out": random(2 * CHANNELS, LABELS), "out_bias": jnp.zeros(LABELS),
    }
    for at in range(len(DILATIONS)):
        parameters[f"layer{at}"] = random(3, CHANNELS, CHANNELS)
        parameters[f"bias{at}"] = jnp.zeros(CHANNELS)
    return parameters


def scores(parameters, vectors, batch, key=None):
    """The score of each label for each piece. `key` drops parts at random, for training."""
    words, grams, kind = batch["word"], batch["grams"], batch["kind"]
    own_words = parameters["own"].shape[0] - 1
    glove = vectors[words] @ parameters["project"]
    own = parameters["own"][jnp.where(words <= own_words, words, 0)] * ((words > 0) & (words <= own_words))[..., None]
    count = jnp.maximum((grams > 0).sum(-1, keepdims=True), 1)
    spelling = (parameters["grams"][grams] * (grams > 0)[..., None]).sum(-2) / jnp.sqrt(count)
    if key is not None:
        keys = jax.random.split(key, 5)
        unknown = jax.random.bernoulli(keys[0], 0.06, words.shape)[..., None]
        glove = jnp.where(unknown, 0, glove)
        own = jnp.where(unknown | jax.random.bernoulli(keys[1], 0.25, words.shape)[..., None], 0, own)
        spelling = jnp.where(jax.random.bernoulli(keys[2], 0.25, words.shape)[..., None], 0, spelling)
    first = glove @ parameters["project_in"] + own @ parameters["own_in"] + spelling @ parameters["grams_in"]
    first += parameters["kind"][kind] + parameters["digits"][batch["digits"]]
    first += parameters["case"][batch["case"]] + parameters["current"][batch["current"]]
    exists = (kind > 0)[..., None]
    state = jax.nn.relu(first) * exists
    if key is not None:
        state *= jax.random.bernoulli(keys[3], 0.9, state.shape) / 0.9
    for at, dilation in enumerate(DILATIONS):
        sums = jax.lax.conv_general_dilated(
            state, parameters[f"layer{at}"], (1,), [(dilation, dilation)], rhs_dilation=(dilation,),
            dimension_numbers=("NWC", "WIO", "NWC"))
        state = (state + jax.nn.relu(sums + parameters[f"bias{at}"])) * exists
    if key is not None:
        state *= jax.random.bernoulli(keys[4], 0.8, state.shape) / 0.8
    hidden = jax.nn.relu(state @ parameters["hidden"] + parameters["hidden_bias"])
    return hidden @ parameters["out"] + parameters["out_bias"]

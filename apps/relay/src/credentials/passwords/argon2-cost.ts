/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. Earlier releases hashed the NFKC form of a password with it. */
export const formerCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * The cost of passwords as typed. Argon2 rounds it down to the same number of blocks, so it takes no more; the number in a
 * hash tells in which form its password was hashed, and releases before this one can read it.
 */
export const cost = { ...formerCost, memoryCost: formerCost.memoryCost + 1 };

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. Earlier releases hashed the NFKC form of a password with it. */
export const formerCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * The cost of passwords that are hashed as they were typed. Argon2 rounds the memory down to the same number of blocks, so
 * it takes no longer than the former cost. The number in a hash tells in which form its password was hashed. Earlier
 * releases can verify such a hash.
 */
export const cost = { ...formerCost, memoryCost: formerCost.memoryCost + 1 };

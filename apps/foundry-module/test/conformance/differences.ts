/** Operations whose answers differ from the demo world's, each with the reason. */
export const differences: Readonly<Record<string, string>> = {
  'get-actor-details':
    'the demo world knows no exhaustion and no inspiration, and the stand-in reckons no load that an actor bears',
  'use-ability': 'the tabletop tells in its chat what a use did; the demo world reckons it by itself',
  'use-feature': 'the tabletop tells in its chat what a use did; the demo world reckons it by itself',
  'use-item': 'the tabletop tells in its chat what a use did; the demo world reckons it by itself',
  'use-spell': 'the tabletop tells in its chat what a use did; the demo world reckons it by itself',
};

/** Operations whose answers have other fields than those of modules in use, each with the reason. */
export const notAsFacts: Readonly<Record<string, string>> = {
  'concentration-save': 'says beside it whether there was a concentration to keep',
  give: 'says of how it was asked only what was asked',
  'transfer-currency': 'tells of the kinds of coins that went over and of no others',
  'world-info': 'says the version under a name that is no tabletop’s as well',
};

export type CreatureType = 'humanoid' | 'undead';

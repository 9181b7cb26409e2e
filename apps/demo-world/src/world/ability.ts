export type Ability = 'str' | 'dex' | 'con' | 'int' | 'wis' | 'cha';

/* oxlint-disable max-lines -- Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it. */

/** What the operations of the group `sys5e` take and answer; `wire`: as a module reads it. */
export interface Sys5eOperations {
  /** Read an actor’s resources, spells, items and more. */
  'get-actor-details': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid: string;
      /** What to return. In a query string: with commas, as JSON text, or the parameter repeated. */
      details: Array<'resources' | 'items' | 'spells' | 'features' | 'stats' | 'abilities' | 'skills' | 'details' | 'conditions'>;
    };
    result: {
      data: {
        uuid: string;
        /** Characters have the first three; monsters what the rules system gives them. */
        resources?: {
          primary?: {
            value: number | null;
            max: number | null;
            /** Whether a short rest restores it. */
            sr: boolean;
            /** Whether a long rest restores it. */
            lr: boolean;
            label: string;
          };
          secondary?: {
            value: number | null;
            max: number | null;
            /** Whether a short rest restores it. */
            sr: boolean;
            /** Whether a long rest restores it. */
            lr: boolean;
            label: string;
          };
          tertiary?: {
            value: number | null;
            max: number | null;
            /** Whether a short rest restores it. */
            sr: boolean;
            /** Whether a long rest restores it. */
            lr: boolean;
            label: string;
          };
          /** Legendary actions of a monster. */
          legact?: Record<string, unknown>;
          /** Legendary resistances of a monster. */
          legres?: Record<string, unknown>;
          /** Its lair actions. */
          lair?: Record<string, unknown>;
        };
        spells?: Array<{
          _id: string;
          name: string;
          type: string;
          img: string;
          /** The rules system’s data. */
          system: Record<string, unknown>;
          effects: unknown[];
          folder: string | null;
          sort: number;
          /** Permission level by user id. */
          ownership: Record<string, number>;
          /** What modules store on it. */
          flags: Record<string, unknown>;
          /** Where it came from and when it changed. */
          _stats: Record<string, unknown>;
        }>;
        /** With `spells`: `value` and `max` by level, `spell1` to `spell9`, and `pact`. */
        spellSlots?: Record<string, unknown>;
        items?: Array<{
          _id: string;
          name: string;
          type: string;
          img: string;
          /** The rules system’s data. */
          system: Record<string, unknown>;
          effects: unknown[];
          folder: string | null;
          sort: number;
          /** Permission level by user id. */
          ownership: Record<string, number>;
          /** What modules store on it. */
          flags: Record<string, unknown>;
          /** Where it came from and when it changed. */
          _stats: Record<string, unknown>;
        }>;
        features?: Array<{
          _id: string;
          name: string;
          type: string;
          img: string;
          /** The rules system’s data. */
          system: Record<string, unknown>;
          effects: unknown[];
          folder: string | null;
          sort: number;
          /** Permission level by user id. */
          ownership: Record<string, number>;
          /** What modules store on it. */
          flags: Record<string, unknown>;
          /** Where it came from and when it changed. */
          _stats: Record<string, unknown>;
        }>;
        /** Each may be missing: monsters lack some. */
        stats?: {
          name?: string;
          img?: string | null;
          uuid?: string;
          level?: number | null;
          profBonus?: number | null;
          /** Armour class. */
          ac?: number | null;
          hp?: {
            value?: number | null;
            max?: number | null;
            temp?: number | null;
          } | null;
          /** Of walking; a number, mostly feet. */
          speed?: unknown;
          exhaustion?: number | null;
          inspiration?: boolean | null;
          initBonus?: number | null;
          deathSaves?: {
            success?: number | null;
            failure?: number | null;
          } | null;
          encumbrance?: {
            value?: number | null;
            max?: number | null;
          } | null;
          currency?: Record<string, unknown> | null;
        };
        /** By abbreviation (`str`, `dex`, ...): `value`, `mod`, `save`, `proficient`. */
        abilities?: Record<string, unknown>;
        /** By abbreviation (`acr`, `ani`, ...): `ability`, `total`, `mod`, `value`, `passive`. */
        skills?: Record<string, unknown>;
        /** Race, background, class, alignment, biography and the like. */
        details?: Record<string, unknown>;
        conditions?: unknown[];
        /** With `conditions`. */
        concentration?: {
          active: boolean;
          /** Of the spell. */
          name?: string;
        };
      };
    };
  };
  /** Add or take away experience points. */
  'modify-experience': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid?: string;
      /** Use the actor of the token that is selected on the canvas. Where several actors are, `several_selected` names them. */
      selected?: boolean;
      /** Points to add; negative to take away. */
      amount: number;
    };
    result: {
      data: {
        actorUuid: string;
        oldXp: number;
        newXp: number;
      };
    };
  };
  /** Roll a skill check. */
  'skill-check': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid: string;
      /** The skill: `acr` Acrobatics, `ani` Animal Handling, `arc` Arcana, `ath` Athletics, `dec` Deception, `his` History, `ins` Insight, `itm` Intimidation, `inv` Investigation, `med` Medicine, `nat` Nature, `prc` Perception, `prf` Performance, `per` Persuasion, `rel` Religion, `slt` Sleight of Hand, `ste` Stealth, `sur` Survival. */
      skill: 'acr' | 'ani' | 'arc' | 'ath' | 'dec' | 'his' | 'ins' | 'itm' | 'inv' | 'med' | 'nat' | 'prc' | 'prf' | 'per' | 'rel' | 'slt' | 'ste' | 'sur';
      /** Roll twice and keep the higher. */
      advantage?: boolean;
      /** Roll twice and keep the lower. */
      disadvantage?: boolean;
      /** Extra bonus as a formula, for example `1d4` or `+2`. */
      bonus?: string;
      /** Post the roll to the world’s chat. */
      createChatMessage?: boolean;
    };
    result: {
      data: {
        actorUuid: string;
        skill: string;
        /** What was rolled, all bonuses included. Absent where the rules system rolled nothing. */
        total?: number;
        /** The formula, for example `1d20 + 5`. */
        formula?: string;
        /** The evaluated terms, for example `14 + 5`. */
        result?: string;
      };
    };
  };
  /** Roll a saving throw. */
  'ability-save': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid: string;
      /** The ability: `str` Strength, `dex` Dexterity, `con` Constitution, `int` Intelligence, `wis` Wisdom, `cha` Charisma. */
      ability: 'str' | 'dex' | 'con' | 'int' | 'wis' | 'cha';
      /** Roll twice and keep the higher. */
      advantage?: boolean;
      /** Roll twice and keep the lower. */
      disadvantage?: boolean;
      /** Extra bonus as a formula, for example `1d4` or `+2`. */
      bonus?: string;
      /** Post the roll to the world’s chat. */
      createChatMessage?: boolean;
    };
    result: {
      data: {
        actorUuid: string;
        ability: string;
        /** What was rolled, all bonuses included. Absent where the rules system rolled nothing. */
        total?: number;
        /** The formula, for example `1d20 + 5`. */
        formula?: string;
        /** The evaluated terms, for example `14 + 5`. */
        result?: string;
      };
    };
  };
  /** Roll a raw ability check. */
  'ability-check': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid: string;
      /** The ability: `str` Strength, `dex` Dexterity, `con` Constitution, `int` Intelligence, `wis` Wisdom, `cha` Charisma. */
      ability: 'str' | 'dex' | 'con' | 'int' | 'wis' | 'cha';
      /** Roll twice and keep the higher. */
      advantage?: boolean;
      /** Roll twice and keep the lower. */
      disadvantage?: boolean;
      /** Extra bonus as a formula, for example `1d4` or `+2`. */
      bonus?: string;
      /** Post the roll to the world’s chat. */
      createChatMessage?: boolean;
    };
    result: {
      data: {
        actorUuid: string;
        ability: string;
        /** What was rolled, all bonuses included. Absent where the rules system rolled nothing. */
        total?: number;
        /** The formula, for example `1d20 + 5`. */
        formula?: string;
        /** The evaluated terms, for example `14 + 5`. */
        result?: string;
      };
    };
  };
  /** Roll a death saving throw. */
  'death-save': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid: string;
      /** Roll twice and keep the higher. */
      advantage?: boolean;
      /** Post the roll to the world’s chat. */
      createChatMessage?: boolean;
    };
    result: {
      data: {
        actorUuid: string;
        /** What was rolled, all bonuses included. Absent where the rules system rolled nothing. */
        total?: number;
        /** The formula, for example `1d20 + 5`. */
        formula?: string;
        /** The evaluated terms, for example `14 + 5`. */
        result?: string;
        deathSaves: {
          success: number;
          failure: number;
        };
        /** The third success: the actor is stable, its counts are 0. */
        stable?: true;
        /** A natural 20: it has a hit point, its counts are 0. */
        healed?: true;
      };
    };
  };
  /** Tell whether an actor concentrates, and on what. */
  'get-concentration': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid?: string;
      /** Actor name, as it stands in the world. */
      actorName?: string;
      /** Use the actor of the token that is selected on the canvas. Where several actors are, `several_selected` names them. */
      selected?: boolean;
    };
    result: {
      data: {
        actorUuid: string;
        isConcentrating: boolean;
        effect: {
          id: string;
          uuid: string;
          name: string;
          icon: string;
          statuses: string[];
          /** UUID of what caused it. */
          origin: string | null;
        } | null;
        /** Name of the spell. */
        spell: string | null;
      };
    };
  };
  /** End an actor’s concentration. */
  'break-concentration': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid?: string;
      /** Actor name, as it stands in the world. */
      actorName?: string;
      /** Use the actor of the token that is selected on the canvas. Where several actors are, `several_selected` names them. */
      selected?: boolean;
    };
    result: {
      data: {
        actorUuid: string;
        /** False when the actor did not concentrate. */
        broken: boolean;
        /** Absent when nothing was removed. */
        removedEffectId?: string;
      };
    };
  };
  /** Roll to keep concentration after damage. */
  'concentration-save': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid?: string;
      /** Actor name, as it stands in the world. */
      actorName?: string;
      /** Damage taken. */
      damage: number;
      /** Roll twice and keep the higher. */
      advantage?: boolean;
      /** Roll twice and keep the lower. */
      disadvantage?: boolean;
      /** Extra bonus as a formula, for example `1d4` or `+2`. */
      bonus?: string;
      /** Post the roll to the world’s chat. */
      createChatMessage?: boolean;
    };
    result: {
      data: {
        actorUuid: string;
        dc: number;
        /** What was rolled, all bonuses included. Absent where the rules system rolled nothing. */
        total?: number;
        /** The formula, for example `1d20 + 5`. */
        formula?: string;
        /** The evaluated terms, for example `14 + 5`. */
        result?: string;
        /** Whether there was something to keep. False: only the save was rolled. */
        isConcentrating?: boolean;
        /** Whether concentration is kept. */
        maintained: boolean;
      };
    };
  };
  /** Take a short rest. */
  'short-rest': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid?: string;
      /** Use the actor of the token that is selected on the canvas. Where several actors are, `several_selected` names them. */
      selected?: boolean;
      /** Spend hit dice automatically. */
      autoHD?: boolean;
      /** Fraction of maximum hit points below which hit dice are spent. */
      autoHDThreshold?: number;
    };
    result: {
      data: {
        actorUuid: string;
        result: {
          completed: true;
        } | {
          type: 'short';
          deltas: {
            hitPoints?: number;
            hitDice?: number;
          };
          /** What changed on the actor, by flat document path, with its `_id`. */
          updateData: Record<string, unknown>;
          updateItems: unknown[];
          newDay: boolean;
          /** The hit dice that were rolled. */
          rolls: unknown[];
          /** The actor as it was before the rest. */
          clone: Record<string, unknown>;
          /** Change in hit dice. */
          dhd?: number;
          /** Change in hit points. */
          dhp?: number;
          longRest?: boolean;
        };
      };
    };
  };
  /** Take a long rest. */
  'long-rest': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid?: string;
      /** Use the actor of the token that is selected on the canvas. Where several actors are, `several_selected` names them. */
      selected?: boolean;
      /** Whether the rest marks a new day. */
      newDay?: boolean;
    };
    result: {
      data: {
        actorUuid: string;
        result: {
          completed: true;
        } | {
          type: 'long';
          deltas: {
            hitPoints?: number;
            hitDice?: number;
          };
          /** What changed on the actor, by flat document path, with its `_id`. */
          updateData: Record<string, unknown>;
          updateItems: unknown[];
          newDay: boolean;
          /** The hit dice that were rolled. */
          rolls: unknown[];
          /** The actor as it was before the rest. */
          clone: Record<string, unknown>;
          /** Change in hit dice. */
          dhd?: number;
          /** Change in hit points. */
          dhp?: number;
          longRest?: boolean;
        };
      };
    };
  };
  /** Add or spend an item’s charges. */
  'modify-item-charges': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid: string;
      /** Item UUID, for example `Actor.mira.Item.wand`. */
      itemUuid?: string;
      /** Item name, as it stands on the actor. */
      itemName?: string;
      /** Charges to add; negative to spend. */
      amount: number;
    };
    result: {
      data: {
        itemUuid: string;
        oldCharges: number;
        newCharges: number;
      };
    };
  };
  /** Equip or stow an item. */
  'equip-item': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid?: string;
      /** Actor name, as it stands in the world. */
      actorName?: string;
      /** Item UUID, for example `Actor.mira.Item.wand`. */
      itemUuid?: string;
      /** Item name, as it stands on the actor. */
      itemName?: string;
      /** True to equip, false to stow. */
      equipped: boolean;
    };
    result: {
      data: {
        actorUuid: string;
        itemUuid: string;
        itemName: string;
        equipped: boolean;
      };
    };
  };
  /** Attune an item or end its attunement. */
  'attune-item': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid?: string;
      /** Actor name, as it stands in the world. */
      actorName?: string;
      /** Item UUID, for example `Actor.mira.Item.wand`. */
      itemUuid?: string;
      /** Item name, as it stands on the actor. */
      itemName?: string;
      /** True to attune, false to end it. */
      attuned: boolean;
    };
    result: {
      data: {
        actorUuid: string;
        itemUuid: string;
        itemName: string;
        attuned: boolean;
      };
    };
  };
  /** Give coins from one actor to another. */
  'transfer-currency': {
    parameters: {
      /** UUID of the actor who gives. */
      sourceActorUuid?: string;
      /** Name of the actor who gives. */
      sourceActorName?: string;
      /** UUID of the actor who receives. */
      targetActorUuid?: string;
      /** Name of the actor who receives. */
      targetActorName?: string;
      /** coins by denomination, at least one above 0 */
      currency: {
        pp?: number;
        gp?: number;
        ep?: number;
        sp?: number;
        cp?: number;
      };
    };
    result: {
      data: {
        sourceActorUuid: string;
        targetActorUuid: string;
        transferred: {
          pp?: number;
          gp?: number;
          ep?: number;
          sp?: number;
          cp?: number;
        };
        sourceBalance: {
          pp: number;
          gp: number;
          ep: number;
          sp: number;
          cp: number;
        };
        targetBalance: {
          pp: number;
          gp: number;
          ep: number;
          sp: number;
          cp: number;
        };
      };
    };
  };
  /** Add or take coins of an actor. */
  'modify-currency': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid: string;
      /** The kind of coin. */
      currency: 'pp' | 'gp' | 'ep' | 'sp' | 'cp';
      /** Coins to add; negative to take. */
      amount: number;
    };
    wire: {
      /** Actor UUID, for example `Actor.mira`. */
      uuid: string;
      /** The kind of coin. */
      currency: 'pp' | 'gp' | 'ep' | 'sp' | 'cp';
      /** Coins to add; negative to take. */
      amount: number;
    };
    result: {
      data: {
        currency: string;
        previous: number;
        current: number;
        delta: number;
      };
    };
  };
  /** Prepare a spell, or end that. */
  'prepare-spell': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid: string;
      /** Spell name, as it stands on the actor. */
      spellName: string;
      /** True to prepare it. */
      prepared: boolean;
    };
    wire: {
      /** Actor UUID, for example `Actor.mira`. */
      uuid: string;
      /** Spell name, as it stands on the actor. */
      name: string;
      /** True to prepare it. */
      prepared: boolean;
    };
    result: {
      data: {
        spellName: string;
        prepared: boolean;
        /** UUID of the actor or of the spell, by the module. */
        uuid: string;
      };
    };
  };
  /** Use an ability. */
  'use-ability': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid: string;
      /** UUID of an ability to use. */
      abilityUuid?: string;
      /** Name of an ability to use, as it stands on the actor. */
      abilityName?: string;
      /** UUID of the actor or token to target. */
      targetUuid?: string;
      /** Name of the actor or token to target. */
      targetName?: string;
    };
    result: {
      data: {
        /** UUID of the actor. */
        uuid: string;
        /** Name of what was used. */
        ability: string;
        /** Id of what it brought about, for example a chat message. Today’s modules leave it out. */
        result?: string | null;
        /** The roll to hit, where there is one. */
        roll?: {
          total: number;
          formula: string;
          isCritical: boolean;
          isFumble: boolean;
          dice: {
            faces: number;
            results: {
              result: number;
              /** Whether it counts: of two dice with advantage one does. */
              active: boolean;
            }[];
          }[];
        };
        /** Where the world knows the damage at once. */
        damageRolls?: {
          total: number;
          formula: string;
          /** The kind of damage. */
          type: string;
          isCritical: boolean;
          dice: unknown[];
        }[];
      };
    };
  };
  /** Use a feature. */
  'use-feature': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid: string;
      /** UUID of a feature to use. */
      abilityUuid?: string;
      /** Name of a feature to use, as it stands on the actor. */
      abilityName?: string;
      /** UUID of the actor or token to target. */
      targetUuid?: string;
      /** Name of the actor or token to target. */
      targetName?: string;
    };
    result: {
      data: {
        /** UUID of the actor. */
        uuid: string;
        /** Name of what was used. */
        ability: string;
        /** Id of what it brought about, for example a chat message. Today’s modules leave it out. */
        result?: string | null;
        /** The roll to hit, where there is one. */
        roll?: {
          total: number;
          formula: string;
          isCritical: boolean;
          isFumble: boolean;
          dice: {
            faces: number;
            results: {
              result: number;
              /** Whether it counts: of two dice with advantage one does. */
              active: boolean;
            }[];
          }[];
        };
        /** Where the world knows the damage at once. */
        damageRolls?: {
          total: number;
          formula: string;
          /** The kind of damage. */
          type: string;
          isCritical: boolean;
          dice: unknown[];
        }[];
      };
    };
  };
  /** Use a spell. */
  'use-spell': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid: string;
      /** UUID of a spell to use. */
      abilityUuid?: string;
      /** Name of a spell to use, as it stands on the actor. */
      abilityName?: string;
      /** UUID of the actor or token to target. */
      targetUuid?: string;
      /** Name of the actor or token to target. */
      targetName?: string;
      /** Level of the slot to cast it with; the lowest that will do when left out. */
      level?: number;
    };
    result: {
      data: {
        /** UUID of the actor. */
        uuid: string;
        /** Name of what was used. */
        ability: string;
        /** Id of what it brought about, for example a chat message. Today’s modules leave it out. */
        result?: string | null;
        /** The roll to hit, where there is one. */
        roll?: {
          total: number;
          formula: string;
          isCritical: boolean;
          isFumble: boolean;
          dice: {
            faces: number;
            results: {
              result: number;
              /** Whether it counts: of two dice with advantage one does. */
              active: boolean;
            }[];
          }[];
        };
        /** Where the world knows the damage at once. */
        damageRolls?: {
          total: number;
          formula: string;
          /** The kind of damage. */
          type: string;
          isCritical: boolean;
          dice: unknown[];
        }[];
      };
    };
  };
  /** Use an item. */
  'use-item': {
    parameters: {
      /** Actor UUID, for example `Actor.mira`. */
      actorUuid: string;
      /** UUID of an item to use. */
      abilityUuid?: string;
      /** Name of an item to use, as it stands on the actor. */
      abilityName?: string;
      /** UUID of the actor or token to target. */
      targetUuid?: string;
      /** Name of the actor or token to target. */
      targetName?: string;
    };
    result: {
      data: {
        /** UUID of the actor. */
        uuid: string;
        /** Name of what was used. */
        ability: string;
        /** Id of what it brought about, for example a chat message. Today’s modules leave it out. */
        result?: string | null;
        /** The roll to hit, where there is one. */
        roll?: {
          total: number;
          formula: string;
          isCritical: boolean;
          isFumble: boolean;
          dice: {
            faces: number;
            results: {
              result: number;
              /** Whether it counts: of two dice with advantage one does. */
              active: boolean;
            }[];
          }[];
        };
        /** Where the world knows the damage at once. */
        damageRolls?: {
          total: number;
          formula: string;
          /** The kind of damage. */
          type: string;
          isCritical: boolean;
          dice: unknown[];
        }[];
      };
    };
  };
}

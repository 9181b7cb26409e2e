/* oxlint-disable max-lines -- Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it. */

/** What the operations of the group `structure` take and answer; `wire`: as a module reads it. */
export interface StructureOperations {
  /** Search the world and its compendiums. */
  search: {
    parameters: {
      /** Text that names contain; all where it is left out. */
      query?: string;
      /** A kind of document, for example `Actor`, or fields and their values: `key:value,key:value`, or an object. */
      filter?: string | Record<string, unknown>;
      /** Search the world alone. */
      excludeCompendiums?: boolean;
      /** Answer with five fields for each hit. */
      minified?: boolean;
      /** How many hits at most; more count as 500. */
      limit?: number;
      /** Find only what this user owns. */
      ownedByUserId?: string;
    };
    result: {
      /** What today’s modules echo: nothing. */
      clientId?: unknown;
      query?: string | null;
      /** The filter, as it was given. */
      filter?: unknown;
      results: Array<{
        uuid: string;
        id?: string | null;
        name?: string | null;
        img?: string | null;
        documentType?: string | null;
        subType?: string | null;
        /** An image’s path, or markup. */
        icon?: unknown;
        /** Id of the folder, or what the module says of it. */
        folder?: unknown;
        package?: string | null;
        packageName?: string | null;
        journalLink?: string | null;
        tagline?: string | null;
        formattedMatch?: string | null;
        resultType?: string | null;
      }>;
    };
  };
  /** List folders, documents and compendiums. */
  structure: {
    parameters: {
      /** Only this folder or pack: `Folder.<id>` or `Compendium.<pack>`. */
      path?: string;
      /** Kinds of documents; all where it is left out. */
      types?: Array<'Actor' | 'Item' | 'Scene' | 'JournalEntry' | 'RollTable' | 'Playlist' | 'Macro' | 'Cards'>;
      /** The same for a single kind. */
      type?: 'Actor' | 'Item' | 'Scene' | 'JournalEntry' | 'RollTable' | 'Playlist' | 'Macro' | 'Cards';
      /** Also what lies in inner folders. */
      recursive?: boolean;
      /** How deep. */
      recursiveDepth?: number;
      /** Whole documents instead of their names. */
      includeEntityData?: boolean;
    };
    result: {
      data: {
        /** Folders by name, each with `id`, `uuid`, `type`, `folders` and `entities`. */
        folders?: Record<string, unknown> | unknown[];
        /** What lies in no folder, by kind. */
        entities?: Record<string, unknown> | unknown[];
        /** Packs by label. */
        compendiumPacks?: Record<string, unknown> | unknown[];
        /** With `path`: the pack. */
        compendium?: Record<string, unknown> | unknown[];
      };
    };
  };
  /** Find a folder by its name. */
  'get-folder': {
    parameters: {
      /** Name of the folder, as it stands in the world. */
      name: string;
    };
    result: {
      data: {
        id: string;
        uuid: string;
        name: string;
        type: string;
        parentFolder?: string | null;
        contents: Array<{
          uuid: string;
          id: string;
          name: string;
          type?: string | null;
          img?: string | null;
        }>;
      };
    };
  };
  /** Create a folder. */
  'create-folder': {
    parameters: {
      /** Name of the folder. */
      name: string;
      /** Kind of the documents in it, for example `Actor`. */
      folderType: string;
      /** Id of the folder around it. */
      parentFolderId?: string;
      /** The id that it shall have. Where a folder has it, that folder is answered. */
      folderId?: string;
    };
    result: {
      data: {
        id: string;
        uuid: string;
        name: string;
        type: string;
        parentFolder?: string | null;
      };
    };
  };
  /** Delete a folder. */
  'delete-folder': {
    parameters: {
      /** Id of the folder. */
      folderId: string;
      /** Also delete what lies in it; without it a folder that is not empty stays. */
      deleteAll?: boolean;
    };
    result: {
      data: {
        deleted: boolean;
        folderId: string;
        entitiesDeleted: number;
        foldersDeleted: number;
      };
    };
  };
}

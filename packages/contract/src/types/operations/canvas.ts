/* oxlint-disable max-lines -- Generated from packages/contract/src/operations by `pnpm docs:generate`; a test compares it. */

/** What the operations of the group `canvas` take and answer; `wire`: as a module reads it. */
export interface CanvasOperations {
  /** List what lies on a scene. */
  'get-canvas-documents': {
    parameters: {
      /** What kind of documents. */
      documentType: 'tokens' | 'tiles' | 'drawings' | 'lights' | 'sounds' | 'notes' | 'templates' | 'walls' | 'regions';
      /** Id of the only one to read. */
      documentId?: string;
      /** Id of the scene; without it the active one. */
      sceneId?: string;
    };
    result: {
      sceneId: string;
      documentType: string;
      data: Record<string, unknown>[];
    };
  };
  /** Put documents on a scene. */
  'create-canvas-document': {
    parameters: {
      /** What kind of documents. */
      documentType: 'tokens' | 'tiles' | 'drawings' | 'lights' | 'sounds' | 'notes' | 'templates' | 'walls' | 'regions';
      /** The fields of one document, or a list of up to 500. */
      data: Record<string, unknown> | Record<string, unknown>[];
      /** Id of the scene; without it the active one. */
      sceneId?: string;
    };
    result: {
      sceneId: string;
      documentType: string;
      data: Record<string, unknown>[];
    };
  };
  /** Change a document on a scene. */
  'update-canvas-document': {
    parameters: {
      /** What kind of documents. */
      documentType: 'tokens' | 'tiles' | 'drawings' | 'lights' | 'sounds' | 'notes' | 'templates' | 'walls' | 'regions';
      /** Id of the document. */
      documentId: string;
      /** The fields to change; nested, or by dotted path. */
      data: Record<string, unknown>;
      /** Id of the scene; without it the active one. */
      sceneId?: string;
    };
    result: {
      sceneId: string;
      documentType: string;
      data: Record<string, unknown>[];
    };
  };
  /** Take documents from a scene. */
  'delete-canvas-document': {
    parameters: {
      /** What kind of documents. */
      documentType: 'tokens' | 'tiles' | 'drawings' | 'lights' | 'sounds' | 'notes' | 'templates' | 'walls' | 'regions';
      /** Id of the document, or a list of up to 500. */
      documentId: string | string[];
      /** Id of the scene; without it the active one. */
      sceneId?: string;
    };
    result: {
      sceneId: string;
      documentType: string;
      success: boolean;
    };
  };
  /** Move a token. */
  'move-token': {
    parameters: {
      /** UUID of the token, for example `Scene.chapel.Token.mira`, or of an actor for its first token on the scene. */
      uuid?: string;
      /** Name of a token on the scene. */
      name?: string;
      /** Where to, from the left. */
      x: number;
      /** Where to, from the top. */
      y: number;
      /** Points on the way, before the last. */
      waypoints?: {
        x: number;
        y: number;
      }[];
      /** Let it glide. */
      animate?: boolean;
      /** Id of the scene; without it the active one. */
      sceneId?: string;
    };
    result: {
      data: {
        tokenUuid: string;
        name: string;
        x: number;
        y: number;
        sceneId: string;
      };
    };
  };
  /** Measure the distance between two places. */
  'measure-distance': {
    parameters: {
      /** From where, from the left. */
      originX?: number;
      /** From where, from the top. */
      originY?: number;
      /** UUID of the token to measure from. */
      originUuid?: string;
      /** Name of the token to measure from. */
      originName?: string;
      /** To where, from the left. */
      targetX?: number;
      /** To where, from the top. */
      targetY?: number;
      /** UUID of the token to measure to. */
      targetUuid?: string;
      /** Name of the token to measure to. */
      targetName?: string;
      /** Id of the scene; without it the active one. */
      sceneId?: string;
    };
    result: {
      data: {
        /** By the scene’s rule for diagonals. */
        distance: number;
        /** For example `ft`. */
        units: string;
        origin: {
          x: number;
          y: number;
        };
        target: {
          x: number;
          y: number;
        };
        sceneId: string;
      };
    };
  };
}

import type { ModuleFacts } from './module-fact.ts';

export const macros = {
  macros: {
    http: 'GET /macros',
    timeoutS: 10,
    reads: '',
    answer: {
      macros: [
        {
          uuid: 'Macro.toll',
          id: 'toll',
          name: 'Toll the bell',
          type: 'script',
          author: 'ada',
          command: 'return args.times ?? 1;',
          img: 'icons/macro.svg',
          scope: 'global',
          canExecute: true,
        },
      ],
    },
    refusal: { macros: [] },
  },
  'macro-execute': {
    http: 'POST /macro/{uuid}/execute',
    timeoutS: 10,
    reads: 'uuid args?',
    answer: { uuid: 'Macro.toll', success: true, result: { value: 3 } },
    refusal: { success: false, uuid: 'Macro.toll' },
  },
  'execute-js': {
    http: 'POST /execute-js',
    timeoutS: 20,
    reads: 'script',
    answer: { success: true, result: 42 },
    refusal: { success: false },
  },
} satisfies ModuleFacts;

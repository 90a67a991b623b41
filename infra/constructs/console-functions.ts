import type { FunctionDeclaration } from './function-declaration.ts';
import {
  looksAtLinks,
  managesSettings,
  readsTable,
  servesBuiltFiles,
  signsPeopleIn,
} from './function-groups.ts';

/** The functions behind the console: what signs people in, what serves the app, and what its first page shows. */
export const consoleFunctions = [
  { name: 'create-session', ...signsPeopleIn },
  { name: 'delete-session', ...signsPeopleIn },
  { name: 'create-sign-in-link', ...signsPeopleIn },
  { name: 'confirm-session', ...signsPeopleIn },
  { name: 'get-session', ...readsTable, stack: 'Console', tableActions: ['GetItem'] },
  { name: 'get-sign-in-link', ...looksAtLinks },
  {
    name: 'get-overview',
    ...readsTable,
    stack: 'Console',
    tableActions: ['GetItem', 'BatchGetItem', 'Query'],
    queriesIndexes: ['gsi2'],
    sesActions: ['GetAccount'],
  },
  { name: 'show-preview', ...readsTable, stack: 'Console', tableActions: ['GetItem'] },
  {
    name: 'show-page-preview',
    ...managesSettings,
    stack: 'Console',
    tableActions: ['GetItem', 'Query'],
  },
  { name: 'show-console', ...servesBuiltFiles, stack: 'Console', builtFile: 'console.json' },
] as const satisfies readonly FunctionDeclaration[];

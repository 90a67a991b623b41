import type { FunctionDeclaration } from './function-declaration.ts';
import { erasesContacts, managesSuppressions, servesMailLinks } from './function-groups.ts';

/** The functions about contacts: what they want, what blocks them, what is known of them. */
export const contactFunctions = [
  {
    name: 'get-preferences',
    ...servesMailLinks,
    admitsKeys: true,
    takesBareAddresses: true,
    tableActions: ['GetItem', 'Query', 'UpdateItem'],
    queriesIndexes: ['gsi1'],
  },
  {
    name: 'update-preferences',
    ...servesMailLinks,
    admitsKeys: true,
    takesBareAddresses: true,
    tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    queriesIndexes: ['gsi1'],
    wakesWebhookQueue: true,
  },
  { name: 'show-unsubscribe', ...servesMailLinks, tableActions: ['GetItem', 'UpdateItem'] },
  {
    name: 'unsubscribe',
    ...servesMailLinks,
    admitsKeys: true,
    takesBareAddresses: true,
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
    queriesIndexes: ['gsi1'],
    wakesWebhookQueue: true,
  },
  {
    name: 'show-preferences',
    ...servesMailLinks,
    tableActions: ['GetItem', 'Query', 'UpdateItem'],
  },
  {
    name: 'save-preferences',
    ...servesMailLinks,
    tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    wakesWebhookQueue: true,
  },
  {
    name: 'explain-recipient',
    ...managesSuppressions,
    tableActions: ['GetItem', 'BatchGetItem', 'Query'],
    queriesIndexes: ['gsi3'],
    suppressedDestinations: ['Get'],
  },
  {
    name: 'list-contacts',
    ...managesSuppressions,
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  { name: 'get-contact', ...managesSuppressions, tableActions: ['GetItem', 'BatchGetItem'] },
  { name: 'erase-contact', ...erasesContacts },
  {
    name: 'list-suppressions',
    ...managesSuppressions,
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  {
    name: 'create-suppression',
    ...managesSuppressions,
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
  },
  {
    name: 'lift-suppression',
    ...managesSuppressions,
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    suppressedDestinations: ['Delete'],
  },
  {
    name: 'lift-suppressions',
    ...managesSuppressions,
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    queriesIndexes: ['gsi2'],
    suppressedDestinations: ['Delete'],
  },
  {
    name: 'import-suppressions',
    ...managesSuppressions,
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    memoryMegabytes: 1024,
  },
  {
    name: 'export-suppressions',
    ...managesSuppressions,
    writesAudit: true,
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
] as const satisfies readonly FunctionDeclaration[];

import { purgesOrganizations } from './background-groups.ts';
import type { FunctionDeclaration } from './function-declaration.ts';
import { managesOrganizations, managesSettings, servesMailLinks } from './function-groups.ts';

/** The functions by which the operator manages organizations, and these what is their own. */
export const organizationFunctions = [
  { name: 'create-organization', ...managesOrganizations, tableActions: ['PutItem'] },
  {
    name: 'list-organizations',
    ...managesOrganizations,
    tableActions: ['BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  {
    name: 'get-organization',
    ...managesOrganizations,
    tableActions: ['GetItem', 'Query'],
    queriesIndexes: ['gsi2'],
  },
  {
    name: 'update-organization',
    ...managesOrganizations,
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
  },
  {
    name: 'delete-organization',
    ...managesOrganizations,
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
  },
  {
    name: 'create-organization-api-key',
    ...managesOrganizations,
    tableActions: ['ConditionCheckItem', 'PutItem'],
  },
  {
    name: 'list-domain-claims',
    ...managesOrganizations,
    tableActions: ['BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  {
    name: 'vouch-for-domain',
    ...managesOrganizations,
    tableActions: ['BatchGetItem', 'Query', 'ConditionCheckItem', 'PutItem', 'UpdateItem'],
  },
  {
    name: 'release-domain',
    ...managesOrganizations,
    tableActions: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  { name: 'get-organization-settings', ...managesSettings, tableActions: ['GetItem'] },
  {
    name: 'update-organization-settings',
    ...managesSettings,
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
    knowsRetention: true,
  },
  {
    name: 'request-notice-confirmation',
    ...managesSettings,
    stack: 'Organizations',
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
  },
  {
    name: 'free-idempotency-key',
    ...managesSettings,
    stack: 'Organizations',
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
  },
  { name: 'show-notice-confirmation', ...servesMailLinks, tableActions: ['GetItem'] },
  {
    name: 'confirm-notice-email',
    ...servesMailLinks,
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
  },
  { name: 'list-policies', ...managesSettings, tableActions: ['GetItem'] },
  { name: 'get-policy', ...managesSettings, tableActions: ['GetItem'] },
  {
    name: 'put-policy',
    ...managesSettings,
    tableActions: ['GetItem', 'ConditionCheckItem', 'PutItem', 'UpdateItem'],
  },
  {
    name: 'delete-policy',
    ...managesSettings,
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
  },
  {
    name: 'create-category',
    ...managesSettings,
    tableActions: ['GetItem', 'Query', 'ConditionCheckItem', 'PutItem'],
  },
  { name: 'list-categories', ...managesSettings, tableActions: ['GetItem', 'Query'] },
  {
    name: 'update-category',
    ...managesSettings,
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
  },
  {
    name: 'delete-category',
    ...managesSettings,
    tableActions: ['GetItem', 'ConditionCheckItem', 'PutItem', 'DeleteItem'],
  },
  { name: 'purge-organizations', ...purgesOrganizations },
] as const satisfies readonly FunctionDeclaration[];

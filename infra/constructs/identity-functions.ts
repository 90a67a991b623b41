import type { FunctionDeclaration } from './function-declaration.ts';
import { httpTimeoutSeconds } from './function-groups.ts';

/** Asks SES and DNS while a person waits; both answer in seconds, or not at all. */
const managesIdentity = {
  trigger: 'http-api',
  stack: 'Account',
  admitsKeys: true,
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

const looksAfterDomains = [
  'GetEmailIdentity',
  'CreateEmailIdentity',
  'TagResource',
  'PutEmailIdentityFeedbackAttributes',
  'PutEmailIdentityMailFromAttributes',
  'DeleteEmailIdentity',
] as const;

/** A domain has one owner, claims and a lease. Who becomes the owner must still want it. */
const changesDomains = [
  'BatchGetItem',
  'Query',
  'ConditionCheckItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
] as const;

/** An organization becomes a tenant with its domain, and loses the domain before SES does. */
const looksAfterTenants = [
  'CreateTenant',
  'GetTenant',
  'GetReputationEntity',
  'PutTenantSuppressionAttributes',
  'CreateTenantResourceAssociation',
  'DeleteTenantResourceAssociation',
] as const;

/** The functions that look after the From identities of organizations. */
export const identityFunctions = [
  {
    name: 'set-identity',
    ...managesIdentity,
    tableActions: [...changesDomains, 'GetItem'],
    sesActions: [...looksAfterDomains, 'GetAccount'],
    tenantActions: looksAfterTenants,
    wakesWebhookQueue: true,
  },
  {
    name: 'get-identity',
    ...managesIdentity,
    tableActions: [
      'GetItem',
      'BatchGetItem',
      'Query',
      'ConditionCheckItem',
      'PutItem',
      'UpdateItem',
    ],
    // A domain becomes its owner's, in SES too, as soon as the owner looks.
    sesActions: [
      'GetEmailIdentity',
      'TagResource',
      'PutEmailIdentityFeedbackAttributes',
      'PutEmailIdentityMailFromAttributes',
      'GetAccount',
    ],
    tenantActions: looksAfterTenants,
    wakesWebhookQueue: true,
  },
  {
    name: 'delete-identity',
    ...managesIdentity,
    tableActions: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sesActions: ['GetEmailIdentity', 'TagResource', 'DeleteEmailIdentity'],
    tenantActions: ['GetTenant', 'DeleteTenantResourceAssociation'],
  },
  {
    name: 'check-identities',
    // Nobody waits for it. What a run does not get done, the next one does.
    trigger: 'schedule',
    tableActions: changesDomains,
    queriesIndexes: ['gsi1'],
    sesActions: looksAfterDomains,
    tenantActions: [...looksAfterTenants, 'DeleteTenant'],
    wakesWebhookQueue: true,
    timeoutSeconds: 120,
    memoryMegabytes: 512,
  },
  {
    name: 'check-tenant',
    trigger: 'event-rule',
    tableActions: ['BatchGetItem', 'PutItem', 'UpdateItem'],
    tenantActions: ['GetTenant', 'GetReputationEntity'],
    timeoutSeconds: 30,
    memoryMegabytes: 512,
  },
] as const satisfies readonly FunctionDeclaration[];

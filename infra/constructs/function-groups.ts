// Each group says what functions of one kind have in common, memory and timeout too. `function-catalogue.ts` says
// which function is of which kind, and what else it may do. What a topic, a queue, a stream or a schedule invokes
// stands in `background-groups.ts`.

/** HTTP API stops waiting after 30 s. A function that stops one second earlier logs and counts its own timeout. */
export const httpTimeoutSeconds = 29;

/** Lambda gives CPU with memory. With more than half a gigabyte these functions start cold no faster. */
export const readsTable = {
  trigger: 'http-api',
  admitsKeys: true,
  stack: 'Account',
  tableActions: ['GetItem', 'Query'],
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/**
 * A request of 6 MB is in memory several times: as event, parsed body, decoded attachments and request to SES.
 * The caller waits while it is encoded, and more memory brings more CPU.
 */
export const sendsEmail = {
  trigger: 'http-api',
  admitsKeys: true,
  tableActions: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
  readsSecrets: ['tokenSigningKey'],
  sendsEmail: true,
  attachmentsBucket: 'get',
  wakesWebhookQueue: true,
  reservation: 'sending',
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 1024,
} as const;

/** It signs a request that puts one object. S3 lets a presigned request do what its signer may do. */
export const issuesUploads = {
  trigger: 'http-api',
  admitsKeys: true,
  tableActions: ['GetItem', 'UpdateItem'],
  attachmentsBucket: 'put',
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** A link in an email leads here. The function checks a token and reads a few items. */
export const servesMailLinks = {
  trigger: 'http-api',
  stack: 'Links',
  reservation: 'links',
  readsSecrets: ['tokenSigningKey'],
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** Records a visit while a person waits for the page. */
export const tracksVisits = {
  ...servesMailLinks,
  tableActions: ['BatchGetItem', 'ConditionCheckItem', 'GetItem', 'PutItem', 'UpdateItem'],
  wakesWebhookQueue: true,
} as const;

/** A program manages its templates: items by key, with up to half a megabyte of text. */
export const managesTemplates = {
  trigger: 'http-api',
  admitsKeys: true,
  stack: 'Templates',
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** A program, or a person at a settings page, manages webhook endpoints. */
export const managesWebhooks = {
  trigger: 'http-api',
  admitsKeys: true,
  stack: 'Webhooks',
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** A program, or a person at a settings page, manages API keys. */
export const managesKeys = {
  trigger: 'http-api',
  admitsKeys: true,
  stack: 'Account',
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** A person comes to the console with a sign-in link. */
export const looksAtLinks = {
  trigger: 'http-api',
  stack: 'Console',
  tableActions: ['GetItem'],
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** A person signs in to the console, or out. */
export const signsPeopleIn = { ...looksAtLinks, signsIn: true, writesAudit: true } as const;

/** A program, or a person at a settings page, sets what holds for the organization's sends. */
export const managesSettings = {
  trigger: 'http-api',
  admitsKeys: true,
  stack: 'Account',
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** The operator of the deployment manages its organizations. */
export const managesOrganizations = {
  trigger: 'http-api',
  stack: 'Organizations',
  readsSecrets: ['operatorSecret'],
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** A change that takes a manager away looks for another one, and holds on to it. */
export const changesKeys = [
  'GetItem',
  'Query',
  'PutItem',
  'UpdateItem',
  'ConditionCheckItem',
] as const;

/** A program, or a person at a settings page, erases a person from all that is stored. */
export const erasesContacts = {
  trigger: 'http-api',
  admitsKeys: true,
  stack: 'Account',
  tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'Query', 'UpdateItem'],
  queriesIndexes: ['gsi3'],
  suppressedDestinations: ['Delete'],
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** A person who looks after the list of blocked addresses, or a program that moves it. */
export const managesSuppressions = {
  trigger: 'http-api',
  admitsKeys: true,
  stack: 'Recipients',
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** Touches nothing: it only says that there is no such endpoint. */
export const refusesUnknownRoutes = {
  trigger: 'http-api',
  stack: 'Account',
  tableActions: [],
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** Touches nothing either: it answers a file that was made when the functions were bundled. */
export const servesBuiltFiles = { ...refusesUnknownRoutes, stack: 'Reference' } as const;

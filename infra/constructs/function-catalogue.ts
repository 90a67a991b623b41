import type { tableIndexes } from '#shared/table/table-attributes';

/** A DynamoDB action on items. A transaction needs those of its parts, and no action of its own. */
export type TableAction =
  | 'BatchGetItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';

/** What one function is, and all it may do: its role holds this and its own log group, nothing else. */
export type FunctionDeclaration = {
  /** Folder under `functions/`; also the construct id. */
  readonly name: string;
  readonly trigger: 'http-api' | 'provider-events';
  readonly tableActions: readonly TableAction[];
  readonly queriesIndexes?: readonly (keyof typeof tableIndexes)[];
  /** May read the key that signs the tokens in mails, through the secrets extension. */
  readonly readsTokenSigningKey?: true;
  /** May call SES `SendEmail`, with the service's configuration set only. */
  readonly sendsEmail?: true;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
};

/** HTTP API gives up after 30 s: one second less, and a timeout is ours, logged and counted. */
const httpTimeoutSeconds = 29;

/** CPU comes with memory; half a gigabyte starts cold about as fast as this little code can. */
const readsTable = {
  trigger: 'http-api',
  tableActions: ['GetItem', 'Query'],
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/**
 * A request of 6 MB is in memory several times over (event, parsed body, decoded attachments, request
 * to SES), and that encoding is CPU the caller waits for.
 */
const sendsEmail = {
  trigger: 'http-api',
  tableActions: ['BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  readsTokenSigningKey: true,
  sendsEmail: true,
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 1024,
} as const;

/** Nobody waits for it, and it makes a handful of calls: a longer run is one that hangs. */
const recordsProviderEvents = {
  trigger: 'provider-events',
  tableActions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  queriesIndexes: ['gsi1'],
  timeoutSeconds: 30,
  memoryMegabytes: 512,
} as const;

/** What a link in a mail leads to: a token to check, and a few items to read. */
const servesMailLinks = {
  trigger: 'http-api',
  readsTokenSigningKey: true,
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** A program at work on its templates: items by key, up to half a megabyte of text. */
const managesTemplates = {
  trigger: 'http-api',
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** Every function of the service, one line each. */
export const functionCatalogue = [
  { name: 'send-email', ...sendsEmail },
  { name: 'send-global-email', ...sendsEmail },
  { name: 'get-send', ...readsTable },
  { name: 'record-provider-event', ...recordsProviderEvents },
  {
    name: 'get-preferences',
    ...servesMailLinks,
    tableActions: ['GetItem', 'Query'],
    queriesIndexes: ['gsi1'],
  },
  {
    name: 'update-preferences',
    ...servesMailLinks,
    tableActions: ['GetItem', 'Query', 'UpdateItem'],
    queriesIndexes: ['gsi1'],
  },
  { name: 'show-unsubscribe', ...servesMailLinks, tableActions: ['GetItem', 'UpdateItem'] },
  {
    name: 'unsubscribe',
    ...servesMailLinks,
    tableActions: ['GetItem', 'UpdateItem'],
    queriesIndexes: ['gsi1'],
  },
  {
    name: 'show-preferences',
    ...servesMailLinks,
    tableActions: ['GetItem', 'Query', 'UpdateItem'],
  },
  {
    name: 'save-preferences',
    ...servesMailLinks,
    tableActions: ['GetItem', 'Query', 'UpdateItem'],
  },
  {
    name: 'create-template',
    ...managesTemplates,
    tableActions: ['GetItem', 'PutItem', 'DeleteItem'],
  },
  {
    name: 'list-templates',
    ...managesTemplates,
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  { name: 'get-template', ...managesTemplates, tableActions: ['GetItem', 'Query'] },
  {
    name: 'update-template',
    ...managesTemplates,
    tableActions: ['GetItem', 'Query', 'PutItem', 'DeleteItem'],
  },
  {
    name: 'delete-template',
    ...managesTemplates,
    tableActions: ['GetItem', 'Query', 'DeleteItem'],
  },
  { name: 'render-template', ...managesTemplates, tableActions: ['GetItem', 'Query'] },
  { name: 'track-click', ...servesMailLinks, tableActions: ['UpdateItem'] },
  { name: 'track-open', ...servesMailLinks, tableActions: ['UpdateItem'] },
] as const satisfies readonly FunctionDeclaration[];

export type FunctionName = (typeof functionCatalogue)[number]['name'];

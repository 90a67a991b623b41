import { describe, expect, it } from 'vitest';
import { ownerTag } from '#shared/config/ses-settings';
import type { SesAction } from '#shared/endpoints/lambda';
import { endpointNames, endpointOf } from '../../functions/routes.ts';
import {
  type FunctionDeclaration,
  functionCatalogue,
} from '../../infra/constructs/function-catalogue.ts';
import { permissionsOf, statementsOfRole } from './policy-statements.ts';
import { asText } from './resolve-intrinsics.ts';
import {
  functionPath,
  resourceAt,
  resourcesOfType,
  synthesiseStack,
  synthesiseWithTenants,
} from './synthesised-stack.ts';

// Two tests hold a role to what its function does. Here: a role grants what the catalogue declares, and
// nothing else. In test/e2e/permissions.test.ts: the catalogue declares what the function asks of AWS, and
// nothing else. So a new function needs no line here, unless it may do what few may.

const stack = synthesiseStack();
const functionNames = functionCatalogue.map(({ name }) => name);

const table = 'ServiceTable/Table';
const queue = 'WebhookDelivery/Queue';
const sendQueue = 'SendQueue/Queue';
const retryQueue = 'ProviderEventPipeline/RetryQueue';
const ses = 'arn:{AWS::Partition}:ses:{AWS::Region}:{AWS::AccountId}';

/** What Lambda does in the function's name because of what triggers it. */
const byTrigger: Record<FunctionDeclaration['trigger'], readonly string[]> = {
  'http-api': [],
  'provider-events': [
    `sqs:ChangeMessageVisibility on ${retryQueue}`,
    `sqs:DeleteMessage on ${retryQueue}`,
    `sqs:GetQueueAttributes on ${retryQueue}`,
    `sqs:ReceiveMessage on ${retryQueue}`,
    `sqs:SendMessage on ${retryQueue}`,
  ],
  'webhook-queue': [
    `sqs:DeleteMessage on ${queue}`,
    `sqs:GetQueueAttributes on ${queue}`,
    `sqs:ReceiveMessage on ${queue}`,
  ],
  'test-events': [
    'sqs:DeleteMessage on TestEvents/Queue',
    'sqs:GetQueueAttributes on TestEvents/Queue',
    'sqs:ReceiveMessage on TestEvents/Queue',
  ],
  'send-queue': [
    `sqs:DeleteMessage on ${sendQueue}`,
    `sqs:GetQueueAttributes on ${sendQueue}`,
    `sqs:ReceiveMessage on ${sendQueue}`,
  ],
  'event-rule': [],
  'alarm-topic': [],
  schedule: [],
  'custom-resource': [],
  // The stream is the table's: `asText` names both alike.
  'table-stream': [
    `dynamodb:DescribeStream on ${table}`,
    `dynamodb:GetRecords on ${table}`,
    `dynamodb:GetShardIterator on ${table}`,
    `dynamodb:ListStreams on ${table}`,
  ],
};

/** Where goes what the reader of the stream gives up. */
const givenUpBy = new Map<string, string>([
  ['count-usage', 'UsageCounting'],
  ['index-contacts', 'ContactListing'],
]);

const secretPaths = {
  tokenSigningKey: 'Secrets/TokenSigningKey',
  cronSecret: 'Secrets/CronSecret',
  operatorSecret: 'Secrets/OperatorSecret',
} as const;

/** Every permission of a function's role, each as "action on resource". */
const permissionsIn = (declaration: FunctionDeclaration): string[] => [
  `logs:CreateLogStream on ${functionPath(declaration.name, 'Logs')}`,
  `logs:PutLogEvents on ${functionPath(declaration.name, 'Logs')}`,
  ...declaration.tableActions.map((action) => `dynamodb:${action} on ${table}`),
  ...(declaration.admitsKeys || declaration.signsIn ? [`dynamodb:UpdateItem on ${table}`] : []),
  ...(declaration.notesRefusals ? [`dynamodb:UpdateItem on ${table}`] : []),
  ...(declaration.countsChanges || declaration.countsInDay
    ? [`dynamodb:UpdateItem on ${table}`]
    : []),
  ...(declaration.notesUse
    ? [
        `dynamodb:GetItem on ${table}`,
        `dynamodb:UpdateItem on ${table}`,
        `dynamodb:UpdateItem on ${table}`,
      ]
    : []),
  ...(declaration.writesAudit ? [`dynamodb:PutItem on ${table}`] : []),
  ...(declaration.queriesIndexes ?? []).map((index) => `dynamodb:Query on ${table}/index/${index}`),
  ...(declaration.suppressedDestinations ?? []).map(
    (verb) => `ses:${verb}SuppressedDestination on *`,
  ),
  ...(declaration.readsSecrets ?? []).map(
    (secret) => `secretsmanager:GetSecretValue on ${secretPaths[secret]}`,
  ),
  ...(declaration.sendsEmail
    ? [
        `ses:SendEmail on ${ses}:configuration-set/SendingConfiguration/ConfigurationSet`,
        `ses:SendEmail on ${ses}:identity/*`,
        `ses:SendRawEmail on ${ses}:configuration-set/SendingConfiguration/ConfigurationSet`,
        `ses:SendRawEmail on ${ses}:identity/*`,
      ]
    : []),
  ...(declaration.sesActions ?? []).map((action) =>
    action === 'GetAccount' ? `ses:${action} on *` : `ses:${action} on ${ses}:identity/*`,
  ),
  ...(declaration.attachmentsBucket === 'get'
    ? ['s3:GetObject on AttachmentsBucket/Bucket/org_*']
    : []),
  ...(declaration.attachmentsBucket === 'put'
    ? ['s3:PutObject on AttachmentsBucket/Bucket/org_*']
    : []),
  ...Object.entries(declaration.contents ?? {}).flatMap(([kind, actions]) =>
    actions.flatMap((action) => [
      ...(action === 'List' ? [] : [`s3:${action}Object on AttachmentsBucket/Bucket/${kind}/*`]),
      ...(action === 'List' || action === 'Get'
        ? ['s3:ListBucket on AttachmentsBucket/Bucket']
        : []),
    ]),
  ),
  ...(declaration.wakesWebhookQueue ? [`sqs:SendMessage on ${queue}`] : []),
  ...(declaration.sendsTestEmail ? ['sqs:SendMessage on TestEvents/Queue'] : []),
  ...(declaration.wakesSendQueue ? [`sqs:SendMessage on ${sendQueue}`] : []),
  ...byTrigger[declaration.trigger],
  ...(declaration.trigger === 'table-stream'
    ? [`sqs:SendMessage on ${givenUpBy.get(declaration.name)}/GivenUp/Queue`]
    : []),
];

const permissions = functionNames.map((name) => [name, permissionsOf(stack, name)] as const);

/** The functions that may do something, by what their roles say. */
const allowedTo = (permission: RegExp): string[] =>
  permissions.flatMap(([name, all]) => (all.some((one) => permission.test(one)) ? name : []));

describe('what a function may do', () => {
  it.each(functionCatalogue)('is exactly what the catalogue declares: $name', (declaration) => {
    const permissions = permissionsOf(stack, declaration.name);

    expect(permissions).toEqual(permissionsIn(declaration).toSorted());
  });

  it('is in its own role, with all its permissions inline', () => {
    const roles = functionNames.map((name) => resourceAt(stack, functionPath(name, 'Role')));
    const usedRoles = functionNames.map((name) =>
      asText(stack, resourceAt(stack, functionPath(name, 'Lambda')).Properties['Role']),
    );

    expect(usedRoles).toEqual(functionNames.map((name) => functionPath(name, 'Role')));
    expect(roles.flatMap((role) => role.Properties['ManagedPolicyArns'] ?? [])).toEqual([]);
    expect(resourcesOfType(stack, 'AWS::IAM::Policy')).toEqual([]);
    expect(resourcesOfType(stack, 'AWS::IAM::ManagedPolicy')).toEqual([]);
  });
});

const signingIn = functionCatalogue.filter(({ signsIn }) => signsIn);

describe('what signs people in to the console, or out', () => {
  it('is ten functions', () => {
    expect(signingIn.map(({ name }) => name).toSorted()).toEqual([
      'confirm-session',
      'create-passkey-session',
      'create-session',
      'create-sign-in-link',
      'delete-session',
      'end-issuer-sessions',
      'end-other-sessions',
      'end-session',
      'finish-issuer-sign-in',
      'switch-organization',
    ]);
  });

  it.each(signingIn)('writes only that attribute of a key: $name', ({ name }) => {
    const writing = statementsOfRole(stack, name).filter(({ Action }) =>
      Action.includes('dynamodb:UpdateItem'),
    );

    expect(writing.map(({ Condition }) => Condition).filter(isOfNoPartition)).toEqual([
      {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'signIns'] },
        Null: { 'dynamodb:Attributes': 'false' },
        StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
      },
    ]);
  });
});

const isOfNoPartition = (condition: unknown): boolean =>
  !JSON.stringify(condition).includes('dynamodb:LeadingKeys');

const refusing = functionCatalogue.filter(({ notesRefusals }) => notesRefusals);

describe('what records refused requests', () => {
  it('is everything that a key may call', () => {
    const taking = endpointNames.filter((name) => typeof endpointOf(name).access === 'object');

    expect(refusing.map(({ name }) => name)).toEqual(taking);
  });

  it.each(refusing)('records them only in their partitions: $name', ({ name }) => {
    const conditions = statementsOfRole(stack, name).map(({ Condition }) => Condition);

    expect(conditions).toContainEqual({
      'ForAllValues:StringEquals': {
        'dynamodb:Attributes': [
          'pk',
          'sk',
          'apiKeyId',
          'route',
          'status',
          'code',
          'fields',
          'at',
          'requestId',
          'expiresAt',
          'count',
        ],
      },
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ORG#*#REFUSALS'] },
      Null: { 'dynamodb:Attributes': 'false', 'dynamodb:LeadingKeys': 'false' },
      StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
    });
  });
});

describe("what counts an organization's changes", () => {
  it('writes only that count, unless the function may change items anyway', () => {
    const counting = functionCatalogue.filter(
      ({ countsChanges, tableActions }) => countsChanges && !tableActions.includes('UpdateItem'),
    );

    expect(counting.map(({ name }) => name)).toContain('create-category');
    for (const { name, notesRefusals } of counting) {
      const conditions = statementsOfRole(stack, name)
        .filter(({ Action }) => Action.includes('dynamodb:UpdateItem'))
        .map(({ Condition }) => Condition);
      // Besides: a key's use, and refusals.
      expect(conditions).toHaveLength(notesRefusals ? 3 : 2);
      expect(conditions).toContainEqual({
        'ForAllValues:StringEquals': {
          'dynamodb:Attributes': ['pk', 'sk', 'used', 'expiresAt', 'most', 'fullAt'],
        },
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ORG#*#RATE'] },
        Null: { 'dynamodb:Attributes': 'false', 'dynamodb:LeadingKeys': 'false' },
        StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
      });
    }
  });
});

describe('a deployment whose organizations are SES tenants', () => {
  const withTenants = synthesiseWithTenants();
  const onTenants = [
    'CreateTenant',
    'DeleteTenant',
    'GetTenant',
    'GetReputationEntity',
    'PutTenantSuppressionAttributes',
  ];
  const configurationSet = 'SendingConfiguration/ConfigurationSet';

  it.each(functionCatalogue)(
    'grants exactly what the catalogue declares for them: $name',
    (declaration) => {
      const actions: readonly string[] = declaration.tenantActions ?? [];
      const tenantPermissions = actions.flatMap((action) =>
        [
          `tenant/org_*`,
          ...(onTenants.includes(action)
            ? []
            : ['identity/*', `configuration-set/${configurationSet}`]),
        ].map((resource) => `ses:${action} on ${ses}:${resource}`),
      );

      const permissions = permissionsOf(withTenants, declaration.name);

      const expected = [...permissionsIn(declaration), ...tenantPermissions];
      expect(permissions).toEqual(expected.toSorted());
    },
  );
});

const ofIdentities = [
  'set-identity',
  'delete-identity',
  'create-domain',
  'update-domain',
  'verify-domain',
  'delete-domain',
  'resend-api-create-domain',
  'resend-api-verify-domain',
  'resend-api-delete-domain',
  'check-identities',
] as const;

const grantedOf = (action: SesAction) =>
  functionCatalogue.flatMap(({ name, sesActions = [] }) =>
    sesActions.includes(action) ? name : [],
  );
const creating = grantedOf('CreateEmailIdentity');

describe('what may change or delete a domain in SES', () => {
  it.each(grantedOf('TagResource'))(
    "is granted to %s only for domains with the service's tag",
    (name) => {
      // A new domain has no tag yet. All others could first tag what isn't the service's.
      const harmful = creating.includes(name)
        ? /^ses:(?:DeleteEmailIdentity|PutEmailIdentity)/
        : /^ses:(?:DeleteEmailIdentity|PutEmailIdentity|TagResource)/;
      const statements = statementsOfRole(stack, name).filter(({ Action }) =>
        Action.some((action) => harmful.test(action)),
      );

      expect(statements).not.toEqual([]);
      for (const { Action, Condition } of statements) {
        expect(Action.every((action) => harmful.test(action))).toBe(true);
        expect(Condition).toEqual({ Null: { [`aws:ResourceTag/${ownerTag}`]: 'false' } });
      }
    },
  );
});

/** They send what was stored for later. */
const workers = ['send-queued', 'run-send-queue'];

/** The end-to-end test sees no secret, bucket or stream, and a deletion is final: these are named here. */
describe('restricted permissions', () => {
  const linksInMails = [
    'get-preferences',
    'update-preferences',
    'show-unsubscribe',
    'unsubscribe',
    'show-preferences',
    'save-preferences',
    'track-click',
    'track-open',
  ];

  const senders = [
    'send-email',
    'send-global-email',
    'send-email-batch',
    'resend-api-send-email',
    'resend-api-send-email-batch',
    'postmark-api-send-email',
    'postmark-api-send-email-with-template',
    'postmark-api-send-email-batch',
    'postmark-api-send-email-batch-with-templates',
  ];
  const sendsAtOnce = ['postmark-api-send-email', 'postmark-api-send-email-with-template'];
  const storing = senders.filter((name) => !sendsAtOnce.includes(name));
  const operators = [
    'create-organization',
    'list-organizations',
    'get-organization',
    'update-organization',
    'delete-organization',
    'create-organization-api-key',
    'list-organization-usage',
    'list-domain-claims',
    'vouch-for-domain',
    'release-domain',
  ];

  it.each([
    ['send email', /^ses:Send/, [...senders, 'send-again', 'send-notices', ...workers]],
    [
      'delete items',
      /:DeleteItem /,
      [
        'create-session',
        'send-notices',
        'update-template',
        'resend-api-update-template',
        'resend-api-publish-template',
        'resend-api-delete-template',
        'publish-template',
        'delete-template',
        'delete-webhook',
        'resend-api-delete-webhook',
        'delete-organization',
        // Who has a link domain.
        'update-organization',
        'delete-category',
        'purge-organizations',
        'release-domain',
        ...ofIdentities,
        'lift-suppression',
        'resend-api-delete-suppression',
        'resend-api-delete-suppressions',
        'lift-suppressions',
        // Who subscribes again lifts the unsubscription.
        'update-preferences',
        'save-preferences',
        // The row by which a further recipient of a send is found.
        'erase-contact',
      ],
    ],
    [
      "take an address from SES's own list",
      /^ses:DeleteSuppressed/,
      [
        'erase-contact',
        'lift-suppression',
        'lift-suppressions',
        'resend-api-delete-suppression',
        'resend-api-delete-suppressions',
      ],
    ],
    ["look an address up in SES's own list", /^ses:GetSuppressed/, ['explain-recipient']],
    ['take domains out of SES', /^ses:DeleteEmailIdentity /, [...ofIdentities]],
    ['put uploads', /^s3:PutObject .*org_/, ['create-upload']],
    ['get uploads', /^s3:GetObject .*org_/, senders],
    // Who is erased is taken out of what goes to others.
    ['store emails for later', /^s3:PutObject .*waiting/, [...storing, 'erase-contact']],
    ['read emails stored for later', /^s3:GetObject .*waiting/, [...workers, 'erase-contact']],
    [
      'delete emails stored for later',
      /^s3:DeleteObject .*waiting/,
      [
        ...storing,
        'cancel-send',
        'resend-api-cancel-email',
        'erase-contact',
        'purge-organizations',
        ...workers,
      ],
    ],
    ['keep contents', /^s3:PutObject .*kept/, [...senders, 'send-again', ...workers]],
    [
      'read kept contents',
      /^s3:GetObject .*kept/,
      ['get-send-content', 'resend-api-get-email', 'send-again'],
    ],
    [
      'list a part of the bucket',
      /^s3:ListBucket /,
      [
        ...workers,
        ...['erase-contact', 'get-send-content', 'purge-organizations'],
        ...['resend-api-get-email', 'send-again'],
      ],
    ],
    ['delete kept contents', /^s3:DeleteObject .*kept/, ['erase-contact', 'purge-organizations']],
    [
      'take messages of the webhook queue',
      /^sqs:ReceiveMessage on WebhookDelivery/,
      ['deliver-webhooks'],
    ],
    ['take events of the retry queue', /^sqs:ReceiveMessage on Prov/, ['record-provider-event']],
    ['read the stream', /:GetRecords /, ['count-usage', 'index-contacts']],
    [
      'find sends by recipient',
      /index\/gsi3$/,
      ['erase-contact', 'list-sends', 'export-sends', 'explain-recipient', 'export-contact'],
    ],
    [
      'read the key that signs tokens',
      /\/TokenSigningKey$/,
      [
        ...senders,
        'send-again',
        'send-notices',
        ...workers,
        'show-notice-confirmation',
        'confirm-notice-email',
        'request-sign-in',
        'start-issuer-sign-in',
        'finish-issuer-sign-in',
        'create-passkey',
        'create-passkey-challenge',
        'create-passkey-options',
        'create-passkey-session',
        ...linksInMails,
      ],
    ],
    ['read the cron secret', /\/CronSecret$/, ['retry-due-webhooks']],
    ['read the operator secret', /\/OperatorSecret$/, operators],
  ])('%s', (_what, permission, expected) => {
    expect(allowedTo(permission).toSorted()).toEqual(expected.toSorted());
  });

  it('only the purge of deleted organizations may scan the table', () => {
    expect(allowedTo(/:Scan /)).toEqual(['purge-organizations']);
  });

  it('no function may write to an index or a secret', () => {
    expect(allowedTo(/(?:Item|Write\w*) on \S+\/index\/|:Put\w*Secret/)).toEqual([]);
  });
});

describe('a function that reads or deletes contents', () => {
  it.each(functionCatalogue.filter(({ contents }) => contents))(
    'lists them only by prefix, and only if it reads or deletes all: $name',
    (declaration) => {
      const { name, contents = {} } = declaration;
      const listing = statementsOfRole(stack, name).filter(({ Action }) =>
        Action.includes('s3:ListBucket'),
      );

      const read = Object.entries(contents).filter(
        ([, actions]) => actions.includes('Get') || actions.includes('List'),
      );
      expect(listing.map(({ Condition }) => Condition)).toEqual(
        read.map(([group]) => ({ StringLike: { 's3:prefix': [`${group}/*`] } })),
      );
    },
  );
});

const auditing = functionCatalogue.filter(
  ({ writesAudit, tableActions }) => writesAudit && !tableActions.includes('PutItem'),
);

describe('a function that only writes its own audit entries', () => {
  it.each(auditing)('puts them there and nowhere else: $name', ({ name }) => {
    const putting = statementsOfRole(stack, name).filter(({ Action }) =>
      Action.includes('dynamodb:PutItem'),
    );

    expect(putting.map(({ Condition }) => Condition)).toEqual([
      {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ORG#*#AUDIT'] },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    ]);
  });
});

const forStrangers = functionCatalogue.filter(({ name }) => {
  const endpoint = endpointNames.find((one) => one === name);
  const access = endpoint && endpointOf(endpoint).access;
  return (
    access === 'anybody' ||
    access === 'session' ||
    (typeof access === 'object' && access.key === 'optional')
  );
});

/** An item whose partition is named, or some attributes of one: see `function-access.ts`. */
const narrowedBy = ['dynamodb:LeadingKeys', 'dynamodb:Attributes'];

describe('a function that strangers reach', () => {
  it('is any whose links are in emails', () => {
    const ofLinks = functionCatalogue.filter(({ reservation }) => reservation === 'links');

    expect(forStrangers).toEqual(expect.arrayContaining(ofLinks));
  });

  it.each(forStrangers)('writes into the partitions it needs, and no other: $name', ({ name }) => {
    const writing = statementsOfRole(stack, name).filter(({ Action }) =>
      Action.some((action) => /^dynamodb:(?:Put|Update|Delete|BatchWrite)Item$/.test(action)),
    );

    const anywhere = writing.filter(({ Condition }) => {
      const condition = JSON.stringify(Condition ?? {});
      return !narrowedBy.some((key) => condition.includes(`"Null":{"${key}":"false"`));
    });
    expect(anywhere).toEqual([]);
  });

  it.each([
    ['track-click', 'PutItem', ['ORG#*#SEND#*']],
    ['unsubscribe', 'PutItem', ['ORG#*#CONTACT#*']],
    ['save-preferences', 'DeleteItem', ['ORG#*#CONTACT#*']],
    ['confirm-notice-email', 'UpdateItem', ['ORG#org_????????????????']],
    ['confirm-notice-email', 'PutItem', ['ORG#*#AUDIT']],
  ])('such as %s may %s only in %j', (name, action, partitions) => {
    const statements = statementsOfRole(stack, name).filter(({ Action }) =>
      Action.includes(`dynamodb:${action}`),
    );

    expect(statements.map(({ Condition }) => Condition)).toEqual([
      {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    ]);
  });
});

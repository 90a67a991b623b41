import { describe, expect, it } from 'vitest';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import { permissionsOf } from './policy-statements.ts';
import { asText } from './resolve-intrinsics.ts';
import { resourceAt, synthesiseStack } from './synthesised-stack.ts';

const stack = synthesiseStack();
const functionNames = functionCatalogue.map(({ name }) => name);

const ownLogs = (functionName: string) => [
  `logs:CreateLogStream on Functions/${functionName}/Logs`,
  `logs:PutLogEvents on Functions/${functionName}/Logs`,
];

const readsTokenSigningKey = 'secretsmanager:GetSecretValue on Secrets/TokenSigningKey';
const wakesWebhookQueue = 'sqs:SendMessage on WebhookDelivery/Queue';

const onTable = (actions: readonly string[], index: boolean) => [
  ...actions.map((action) => `dynamodb:${action} on ServiceTable/Table`),
  ...(index ? ['dynamodb:Query on ServiceTable/Table/index/gsi1'] : []),
];

const ses = 'arn:{AWS::Partition}:ses:{AWS::Region}:{AWS::AccountId}';

describe('what a function may do', () => {
  it('lets get-send only read', () => {
    const permissions = permissionsOf(stack, 'get-send');

    expect(permissions).toEqual([
      'dynamodb:GetItem on ServiceTable/Table',
      'dynamodb:Query on ServiceTable/Table',
      ...ownLogs('get-send'),
    ]);
  });

  it('lets create-upload read who asks, and put objects', () => {
    const permissions = permissionsOf(stack, 'create-upload');

    expect(permissions).toEqual([
      'dynamodb:GetItem on ServiceTable/Table',
      ...ownLogs('create-upload'),
      's3:PutObject on AttachmentsBucket/Bucket/org_*',
    ]);
  });

  it.each(['send-email', 'send-global-email'])(
    'lets %s write items it knows by key, and send with our configuration set only',
    (name) => {
      const permissions = permissionsOf(stack, name);

      expect(permissions).toEqual([
        'dynamodb:BatchGetItem on ServiceTable/Table',
        'dynamodb:GetItem on ServiceTable/Table',
        'dynamodb:PutItem on ServiceTable/Table',
        'dynamodb:UpdateItem on ServiceTable/Table',
        ...ownLogs(name),
        's3:GetObject on AttachmentsBucket/Bucket/org_*',
        readsTokenSigningKey,
        `ses:SendEmail on ${ses}:configuration-set/SendingConfiguration/ConfigurationSet`,
        `ses:SendEmail on ${ses}:identity/*`,
        wakesWebhookQueue,
      ]);
    },
  );

  it('lets record-provider-event find sends by provider message id, delete nothing, and not send', () => {
    const permissions = permissionsOf(stack, 'record-provider-event');

    expect(permissions).toEqual([
      'dynamodb:BatchGetItem on ServiceTable/Table',
      'dynamodb:PutItem on ServiceTable/Table',
      'dynamodb:Query on ServiceTable/Table/index/gsi1',
      'dynamodb:UpdateItem on ServiceTable/Table',
      ...ownLogs('record-provider-event'),
      'sqs:SendMessage on ProviderEventIntake/DeadLetters/Queue',
      wakesWebhookQueue,
    ]);
  });

  it.each([
    { name: 'get-preferences', table: ['GetItem', 'Query'], index: true },
    { name: 'show-unsubscribe', table: ['GetItem', 'UpdateItem'], index: false },
    { name: 'show-preferences', table: ['GetItem', 'Query', 'UpdateItem'], index: false },
  ])('lets $name read what its link shows, and tell nobody', ({ name, table, index }) => {
    const permissions = permissionsOf(stack, name);

    const expected = [...onTable(table, index), ...ownLogs(name), readsTokenSigningKey];
    expect(permissions).toEqual(expected.toSorted());
  });

  const visits = ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'];
  const changes = ['GetItem', 'PutItem', 'UpdateItem'];

  it.each([
    { name: 'update-preferences', table: [...changes, 'Query'], index: true },
    { name: 'unsubscribe', table: changes, index: true },
    { name: 'save-preferences', table: [...changes, 'Query'], index: false },
    { name: 'track-click', table: visits, index: false },
    { name: 'track-open', table: visits, index: false },
  ])('lets $name do what its link is for, and webhooks tell of it', ({ name, table, index }) => {
    const permissions = permissionsOf(stack, name);

    const expected = [
      ...onTable(table, index),
      ...ownLogs(name),
      readsTokenSigningKey,
      wakesWebhookQueue,
    ];
    expect(permissions).toEqual(expected.toSorted());
  });

  it('lets deliver-webhooks take messages, and find no delivery it was not told of', () => {
    const permissions = permissionsOf(stack, 'deliver-webhooks');

    expect(permissions).toEqual([
      'dynamodb:GetItem on ServiceTable/Table',
      'dynamodb:UpdateItem on ServiceTable/Table',
      ...ownLogs('deliver-webhooks'),
      'sqs:DeleteMessage on WebhookDelivery/Queue',
      'sqs:GetQueueAttributes on WebhookDelivery/Queue',
      'sqs:ReceiveMessage on WebhookDelivery/Queue',
    ]);
  });

  it('lets run-webhook-queue find what is due, and know the cron secret', () => {
    const permissions = permissionsOf(stack, 'run-webhook-queue');

    expect(permissions).toEqual([
      'dynamodb:GetItem on ServiceTable/Table',
      'dynamodb:Query on ServiceTable/Table/index/gsi1',
      'dynamodb:UpdateItem on ServiceTable/Table',
      ...ownLogs('run-webhook-queue'),
      'secretsmanager:GetSecretValue on Secrets/CronSecret',
    ]);
  });

  const log = 'dynamodb:Query on ServiceTable/Table/index/gsi2';

  it.each([
    { name: 'create-template', table: ['GetItem', 'PutItem'], further: [] },
    { name: 'list-templates', table: ['GetItem', 'BatchGetItem'], further: [log] },
    { name: 'get-template', table: ['GetItem', 'BatchGetItem'], further: [] },
    {
      name: 'update-template',
      table: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
      further: [],
    },
    { name: 'delete-template', table: ['GetItem', 'BatchGetItem', 'DeleteItem'], further: [] },
    { name: 'render-template', table: ['GetItem', 'BatchGetItem'], further: [] },
  ])('lets $name do what it is named after, and no more', ({ name, table, further }) => {
    const permissions = permissionsOf(stack, name);

    const expected = [...onTable(table, false), ...ownLogs(name), ...further];
    expect(permissions).toEqual(expected.toSorted());
  });

  it.each([
    { name: 'create-webhook', table: [...changes, 'Query'], further: [] },
    { name: 'list-webhooks', table: ['GetItem', 'Query'], further: [] },
    { name: 'get-webhook', table: ['GetItem'], further: [] },
    { name: 'update-webhook', table: ['GetItem', 'UpdateItem'], further: [] },
    { name: 'delete-webhook', table: ['GetItem', 'UpdateItem', 'DeleteItem'], further: [] },
    { name: 'rotate-webhook-secret', table: ['GetItem', 'UpdateItem'], further: [] },
    { name: 'test-webhook', table: ['GetItem', 'PutItem'], further: [wakesWebhookQueue] },
    { name: 'list-webhook-deliveries', table: ['GetItem', 'BatchGetItem'], further: [log] },
    { name: 'redeliver-webhook-delivery', table: changes, further: [wakesWebhookQueue] },
    { name: 'redeliver-failed-deliveries', table: [...changes, 'BatchGetItem'], further: [log] },
  ])('lets $name manage webhooks, and know no secret but theirs', ({ name, table, further }) => {
    const permissions = permissionsOf(stack, name);

    const expected = [...onTable(table, false), ...ownLogs(name), ...further];
    expect(permissions).toEqual(expected.toSorted());
  });

  it('lets erase-contact find what was sent to somebody, and change it, but store nothing new', () => {
    const permissions = permissionsOf(stack, 'erase-contact');

    expect(permissions).toEqual([
      'dynamodb:GetItem on ServiceTable/Table',
      'dynamodb:Query on ServiceTable/Table',
      'dynamodb:Query on ServiceTable/Table/index/gsi3',
      'dynamodb:UpdateItem on ServiceTable/Table',
      ...ownLogs('erase-contact'),
    ]);
  });

  it('lets count-usage read the stream, and write to no item but usage counters', () => {
    const permissions = permissionsOf(stack, 'count-usage');

    // The stream is the table's: `asText` names both alike. Which items: see the counting's own test.
    expect(permissions).toEqual([
      'dynamodb:DescribeStream on ServiceTable/Table',
      'dynamodb:GetRecords on ServiceTable/Table',
      'dynamodb:GetShardIterator on ServiceTable/Table',
      'dynamodb:ListStreams on ServiceTable/Table',
      'dynamodb:UpdateItem on ServiceTable/Table',
      ...ownLogs('count-usage'),
      'sqs:SendMessage on UsageCounting/GivenUp/Queue',
    ]);
  });

  it('lets get-usage only read', () => {
    const permissions = permissionsOf(stack, 'get-usage');

    expect(permissions).toEqual([...onTable(['GetItem', 'Query'], false), ...ownLogs('get-usage')]);
  });

  it('gives each function a role of its own, with no managed policy', () => {
    const roles = functionNames.map((name) => resourceAt(stack, `Functions/${name}/Role`));
    const usedRoles = functionNames.map((name) =>
      asText(stack, resourceAt(stack, `Functions/${name}/Lambda`).Properties['Role']),
    );

    expect(usedRoles).toEqual(functionNames.map((name) => `Functions/${name}/Role`));
    expect(roles.flatMap((role) => role.Properties['ManagedPolicyArns'] ?? [])).toEqual([]);
  });

  it.each([
    { secret: 'CronSecret', readers: ['run-webhook-queue'] },
    { secret: 'OperatorSecret', readers: [] },
  ])('lets only %o read a shared secret', ({ secret, readers }) => {
    const allowed = functionNames.filter((name) =>
      permissionsOf(stack, name).includes(`secretsmanager:GetSecretValue on Secrets/${secret}`),
    );

    expect(allowed).toEqual(readers);
  });

  it.each(['get-send', 'record-provider-event', 'deliver-webhooks'])(
    'lets %s read no secret at all',
    (name) => {
      const permissions = permissionsOf(stack, name);

      expect(permissions.join()).not.toContain('secretsmanager:');
    },
  );
});

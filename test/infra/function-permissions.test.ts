import { describe, expect, it } from 'vitest';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import { permissionsOf } from './policy-statements.ts';
import { asText } from './resolve-intrinsics.ts';
import { resourceAt, resourcesOfType, synthesiseStack } from './synthesised-stack.ts';

const stack = synthesiseStack();
const functionNames = functionCatalogue.map(({ name }) => name);

const ownLogs = (functionName: string) => [
  `logs:CreateLogStream on Functions/${functionName}/Logs`,
  `logs:PutLogEvents on Functions/${functionName}/Logs`,
];

const readsTokenSigningKey = 'secretsmanager:GetSecretValue on Secrets/TokenSigningKey';

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

  it.each(['send-email', 'send-global-email'])(
    'lets %s write items it knows by key, and send with our configuration set only',
    (name) => {
      const permissions = permissionsOf(stack, name);

      expect(permissions).toEqual([
        'dynamodb:BatchGetItem on ServiceTable/Table',
        'dynamodb:DeleteItem on ServiceTable/Table',
        'dynamodb:PutItem on ServiceTable/Table',
        'dynamodb:UpdateItem on ServiceTable/Table',
        ...ownLogs(name),
        readsTokenSigningKey,
        `ses:SendEmail on ${ses}:configuration-set/SendingConfiguration/ConfigurationSet`,
        `ses:SendEmail on ${ses}:identity/*`,
      ]);
    },
  );

  it('lets record-provider-event find sends by provider message id, free the key of a refused one, and not send', () => {
    const permissions = permissionsOf(stack, 'record-provider-event');

    expect(permissions).toEqual([
      'dynamodb:DeleteItem on ServiceTable/Table',
      'dynamodb:GetItem on ServiceTable/Table',
      'dynamodb:PutItem on ServiceTable/Table',
      'dynamodb:Query on ServiceTable/Table/index/gsi1',
      'dynamodb:UpdateItem on ServiceTable/Table',
      ...ownLogs('record-provider-event'),
      'sqs:SendMessage on ProviderEventIntake/DeadLetters/Queue',
    ]);
  });

  it.each([
    { name: 'get-preferences', table: ['GetItem', 'Query'], index: true },
    { name: 'update-preferences', table: ['GetItem', 'Query', 'UpdateItem'], index: true },
    { name: 'show-unsubscribe', table: ['GetItem', 'UpdateItem'], index: false },
    { name: 'unsubscribe', table: ['GetItem', 'UpdateItem'], index: true },
    { name: 'show-preferences', table: ['GetItem', 'Query', 'UpdateItem'], index: false },
    { name: 'save-preferences', table: ['GetItem', 'Query', 'UpdateItem'], index: false },
    { name: 'track-click', table: ['UpdateItem'], index: false },
    { name: 'track-open', table: ['UpdateItem'], index: false },
  ])('lets $name do what its link is for, and no more', ({ name, table, index }) => {
    const permissions = permissionsOf(stack, name);

    const expected = [
      ...table.map((action) => `dynamodb:${action} on ServiceTable/Table`),
      ...(index ? ['dynamodb:Query on ServiceTable/Table/index/gsi1'] : []),
      ...ownLogs(name),
      readsTokenSigningKey,
    ];
    expect(permissions).toEqual(expected.toSorted());
  });

  it('gives each function a role of its own, with no managed policy', () => {
    const roles = functionNames.map((name) => resourceAt(stack, `Functions/${name}/Role`));
    const usedRoles = functionNames.map((name) =>
      asText(stack, resourceAt(stack, `Functions/${name}/Lambda`).Properties['Role']),
    );

    expect(usedRoles).toEqual(functionNames.map((name) => `Functions/${name}/Role`));
    expect(roles.flatMap((role) => role.Properties['ManagedPolicyArns'] ?? [])).toEqual([]);
  });

  it('leaves no secret readable by a function that does not need one', () => {
    const readers = functionNames.filter((name) =>
      permissionsOf(stack, name).some((permission) => permission.startsWith('secretsmanager:')),
    );

    expect(resourcesOfType(stack, 'AWS::SecretsManager::Secret')).toHaveLength(3);
    expect(readers).not.toContain('get-send');
    expect(readers).not.toContain('record-provider-event');
  });
});

import { describe, expect, it } from 'vitest';
import { resourceAt, resourcesOfType, synthesiseStack } from './synthesised-stack.ts';

const stack = synthesiseStack();

describe('a secret', () => {
  it('is generated during the deployment, and in no template', () => {
    const secrets = resourcesOfType(stack, 'AWS::SecretsManager::Secret');

    expect(secrets.map(({ path }) => path)).toEqual([
      'Secrets/TokenSigningKey',
      'Secrets/CronSecret',
      'Secrets/OperatorSecret',
    ]);
    for (const { Properties } of secrets) {
      expect(Properties).not.toHaveProperty('SecretString');
      expect(Properties['GenerateSecretString']).toMatchObject({
        PasswordLength: 64,
        ExcludePunctuation: true,
      });
    }
  });

  it('is handed to no function through its environment, but for its name', () => {
    const environments = resourcesOfType(stack, 'AWS::Lambda::Function').map(({ Properties }) =>
      JSON.stringify(Properties['Environment']),
    );

    for (const environment of environments) {
      expect(environment).not.toContain('resolve:secretsmanager');
    }
  });

  it('that signs tokens outlives the stack, as the mail that carries them does', () => {
    const secret = resourceAt(stack, 'Secrets/TokenSigningKey');

    expect(secret).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  });
});

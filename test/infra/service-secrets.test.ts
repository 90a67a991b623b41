import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import { asText } from './resolve-intrinsics.ts';
import { functionPath, resourceAt, resourcesOfType, synthesiseStack } from './synthesised-stack.ts';

const environmentShape = z.object({ Variables: z.record(z.string(), z.unknown()) });

const stack = synthesiseStack();

describe('a secret', () => {
  it('is generated during the deployment, and in no template', () => {
    const secrets = resourcesOfType(stack, 'AWS::SecretsManager::Secret');

    expect(secrets.map(({ path }) => path)).toEqual([
      'Secrets/TokenSigningKey',
      'Secrets/CronSecret',
      'Secrets/OperatorSecret',
      'Secrets/ContactDigestKey',
    ]);
    for (const { Properties } of secrets) {
      expect(Properties).not.toHaveProperty('SecretString');
      expect(Properties['GenerateSecretString']).toMatchObject({
        PasswordLength: 64,
        ExcludePunctuation: true,
      });
    }
  });

  it("is in no function's environment, except the contact digest key", () => {
    const functions = functionCatalogue.map(({ name }) =>
      resourceAt(stack, functionPath(name, 'Lambda')),
    );
    expect(functions.length).toBeGreaterThan(0);

    for (const { Properties } of functions) {
      const { CONTACT_DIGEST_KEY, ...others } = environmentShape.parse(
        Properties['Environment'],
      ).Variables;
      // By name alone: CloudFormation resolves it as it creates the function.
      expect(asText(stack, CONTACT_DIGEST_KEY)).toBe(
        '{{resolve:secretsmanager:Secrets/ContactDigestKey:SecretString:::}}',
      );
      expect(JSON.stringify(others)).not.toContain('resolve:secretsmanager');
    }
  });

  it.each(['TokenSigningKey', 'ContactDigestKey'])(
    'outlives the stack if emails or the table depend on it: %s',
    (name) => {
      const secret = resourceAt(stack, `Secrets/${name}`);

      expect(secret).toMatchObject({
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
    },
  );
});

import { describe, expect, it } from 'vitest';
import { permissionsOf, statementsOf } from './policy-statements.ts';
import {
  functionPath,
  resourceAt,
  resourcesOfType,
  settings,
  synthesiseStack,
  synthesiseWithSettings,
} from './synthesised-stack.ts';

const stack = synthesiseStack();
const withSettings = synthesiseWithSettings();
const { entitlementsUrl, entitlementsSecretArn } = settings;

describe('the attachments bucket', () => {
  it('is private, encrypted, without CORS, and keeps uploads for a day and contents until they must be deleted', () => {
    const { Properties } = resourceAt(stack, 'AttachmentsBucket/Bucket');

    expect(Properties).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: expect.anything(),
      LifecycleConfiguration: {
        Rules: [
          { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: 'Enabled' },
          { ExpirationInDays: 1, Prefix: 'org_', Status: 'Enabled' },
          { ExpirationInDays: 40, Prefix: 'waiting/', Status: 'Enabled' },
          ...[1, 3, 7, 14, 30, 60, 90, 180, 365].map((days) => ({
            ExpirationInDays: days,
            Prefix: `kept/${days}/`,
            Status: 'Enabled',
          })),
        ],
      },
    });
    expect(Properties).not.toHaveProperty('CorsConfiguration');
  });

  it('remains when the stack is destroyed, with the emails that wait in it', () => {
    expect(resourceAt(stack, 'AttachmentsBucket/Bucket')).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
  });

  it('is reachable over TLS only', () => {
    const denials = resourcesOfType(stack, 'AWS::S3::BucketPolicy')
      .flatMap(statementsOf)
      .filter(({ Effect }) => Effect === 'Deny');

    expect(denials).toContainEqual(
      expect.objectContaining({
        Action: ['s3:*'],
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
  });
});

describe("the bucket's address", () => {
  it.each(['send-email', 'create-upload'])(
    "is passed to %s in S3's form for the Region",
    (name) => {
      const { Properties } = resourceAt(stack, functionPath(name, 'Lambda'));

      const bucket = resourceAt(stack, 'AttachmentsBucket/Bucket').logicalId;
      expect(Properties['Environment']).toMatchObject({
        Variables: {
          ATTACHMENTS_BUCKET_URL: {
            'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [bucket, 'RegionalDomainName'] }]],
          },
        },
      });
    },
  );
});

describe('an entitlement service', () => {
  it.each(['send-email', 'send-global-email', 'send-email-batch', 'create-upload'])(
    'is passed to %s, with its secret',
    (name) => {
      const { Properties } = resourceAt(withSettings, functionPath(name, 'Lambda'));

      expect(Properties['Environment']).toMatchObject({
        Variables: {
          ENTITLEMENTS_URL: entitlementsUrl,
          ENTITLEMENTS_SECRET_ID: entitlementsSecretArn,
          AWS_ENDPOINT_URL_SECRETS_MANAGER: expect.anything(),
        },
      });
      expect(permissionsOf(withSettings, name)).toContain(
        `secretsmanager:GetSecretValue on ${entitlementsSecretArn}`,
      );
    },
  );
});

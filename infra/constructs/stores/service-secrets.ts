import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { SecretName } from '#shared/endpoints/lambda';

/**
 * Secrets Manager generates them during the deployment, so they are in no template, environment or log. Functions read
 * them at run time, each with a grant for the one it needs. Only the key for contact digests is in the environment, put
 * there by CloudFormation: it protects copies of the table, and is needed before any call can be made.
 */
export class ServiceSecrets extends Construct implements Readonly<Record<SecretName, Secret>> {
  /** `{"current": "k1", "k1": …}`: see "Rotate the signing key" in `infra/README.md`. */
  readonly tokenSigningKey: Secret;
  /** Sent in `X-Cron-Secret` by schedulers outside AWS. */
  readonly cronSecret: Secret;
  /** Sent in `X-Operator-Secret`. */
  readonly operatorSecret: Secret;
  /** See `shared/tokens/keyed-digest.ts`. */
  readonly contactDigestKey: Secret;

  constructor(scope: Construct, id: string, encryptionKey?: IKey) {
    super(scope, id);
    const encryption = encryptionKey && { encryptionKey };
    this.tokenSigningKey = new Secret(this, 'TokenSigningKey', {
      ...encryption,
      description: 'Signs unsubscribe, preference, open and click tokens',
      generateSecretString: {
        secretStringTemplate: JSON.stringify({ current: 'k1' }),
        generateStringKey: 'k1',
        ...randomText,
      },
      // Unsubscribe links in delivered emails must keep working, whatever happens to the stack.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    this.cronSecret = new Secret(this, 'CronSecret', {
      ...encryption,
      description: 'X-Cron-Secret of GET /api/webhooks/queue/run',
      generateSecretString: randomText,
    });
    this.operatorSecret = new Secret(this, 'OperatorSecret', {
      ...encryption,
      description: 'X-Operator-Secret of the organization endpoints',
      generateSecretString: randomText,
    });
    this.contactDigestKey = new Secret(this, 'ContactDigestKey', {
      ...encryption,
      description: 'Derives contact ids from addresses. Never change it',
      generateSecretString: randomText,
      // Without it, the suppressions in the table, which also outlives the stack, can't be found.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    this.#acknowledgeManualRotation();
  }

  #acknowledgeManualRotation(): void {
    Validations.of(this.tokenSigningKey).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Tokens in delivered emails must verify for years, so a rotation adds a key beside the old one instead of replacing it. The operator decides when, not a timer.',
    });
    Validations.of(this.contactDigestKey).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Contact ids are derived with it, including those of erased contacts, whose addresses are gone: with a different key, no suppression would be found.',
    });
    for (const shared of [this.cronSecret, this.operatorSecret]) {
      Validations.of(shared).acknowledge({
        id: 'AwsSolutions-SMG4',
        reason:
          'Shared with a caller outside AWS, who would be locked out by a scheduled rotation: the operator rotates it together with that caller.',
      });
    }
  }
}

const randomText = { passwordLength: 64, excludePunctuation: true };

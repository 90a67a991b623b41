import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { contentKinds } from '#shared/stored-content/content-lifetimes';

/** Uploaded attachments (for a day, until a send uses them) and the content of emails. */
export class ContentBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, encryptionKey?: IKey) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      ...(encryptionKey
        ? { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }
        : { encryption: BucketEncryption.S3_MANAGED }),
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
        // An upload's key starts with its organization's id.
        { prefix: 'org_', expiration: Duration.days(1) },
        ...contentKinds.map(({ kind, days }) => ({
          prefix: `${kind}/`,
          expiration: Duration.days(days),
        })),
      ],
      // It holds waiting emails. A bucket with objects can't be deleted, so `cdk destroy` would fail.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Access logs would need a second, ever-growing bucket to describe objects that are soon gone. Only the functions can upload and read, and their logs say who did.',
    });
  }
}

import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { tableAttributes, tableIndexes } from '#shared/table/table-attributes';

/** The local twin's table is in `infra/local/dynamodb/table.ts`. */
export class ServiceTable extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, encryptionKey?: IKey) {
    super(scope, id);
    this.table = new Table(this, 'Table', {
      partitionKey: stringAttribute(tableAttributes.partitionKey),
      sortKey: stringAttribute(tableAttributes.sortKey),
      timeToLiveAttribute: tableAttributes.timeToLive,
      billingMode: BillingMode.PAY_PER_REQUEST,
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      // Default: AWS's own key, always encrypted and free. A key of our own would cost a monthly fee while idle, add
      // KMS requests to the traffic, and make every send depend on another service.
      ...(encryptionKey
        ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey }
        : { encryption: TableEncryption.DEFAULT }),
      deletionProtection: true,
      // It holds the suppressions: losing them with the stack would mean mailing people who opted out. Unlike the other
      // retained resources, it also stays when its own creation is rolled back: DynamoDB refuses to delete it while
      // it's protected, and the rollback would fail.
      removalPolicy: RemovalPolicy.RETAIN,
    });
    for (const index of Object.values(tableIndexes)) {
      this.table.addGlobalSecondaryIndex({
        indexName: index.name,
        partitionKey: stringAttribute(index.partitionKey),
        sortKey: stringAttribute(index.sortKey),
        ...(index.projected.length === 0
          ? { projectionType: ProjectionType.KEYS_ONLY }
          : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...index.projected] }),
      });
    }
  }
}

function stringAttribute(name: string) {
  return { name, type: AttributeType.STRING };
}

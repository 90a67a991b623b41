import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { contactStream } from './table-stream-settings.ts';
import { TableStreamTrigger } from './table-stream-trigger.ts';

type ContactListingProps = {
  readonly table: Table;
  readonly alarmTopic: ITopic;
};

/** Sends don't wait for it. */
export class ContactListing extends TableStreamTrigger {
  constructor(scope: Construct, id: string, { table, alarmTopic }: ContactListingProps) {
    super(scope, id, {
      table,
      alarmTopic,
      settings: contactStream,
      lateImpact:
        "The contact list lacks contacts of the last hour: index-contacts fails or is throttled. Sends aren't affected, and every contact can still be found by its address. Read the errors of index-contacts.",
      givenUpImpact:
        "The contact list lacks some contacts until they change: index-contacts failed for 23 hours on the records that this queue names (shard and sequence numbers). Sends aren't affected, and every contact can still be found by its address. Read the errors of index-contacts.",
    });
  }
}

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
        'The contacts of the last hour are missing in the list of contacts, as index-contacts fails or is throttled. Sends are not affected, and each contact is found by its address. Read the errors of index-contacts.',
      givenUpImpact:
        'Contacts are missing in the list of contacts until they change: index-contacts failed for 23 hours on the records that this queue names (shard and sequence numbers). Sends are not affected, and each contact is found by its address. Read the errors of index-contacts.',
    });
  }
}

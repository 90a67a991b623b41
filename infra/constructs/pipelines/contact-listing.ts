import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { contactStream, maxRecordAgeHours } from './table-stream-settings.ts';
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
      late: {
        impact:
          "The contact list is an hour behind; sends and looking up a single address aren't affected.",
        firstStep: 'Read the errors of index-contacts, and check whether Lambda throttles it.',
      },
      givenUp: {
        impact: `index-contacts failed on some records for ${maxRecordAgeHours} hours and gave up: the contact list lacks those contacts until they change. Sends aren't affected.`,
        firstStep: 'Read the errors of index-contacts.',
      },
    });
  }
}

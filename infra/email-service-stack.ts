import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { TransactionalEmail, type TransactionalEmailProps } from './transactional-email.ts';

/** This repository deploys it: the service, and nothing else. */
export class EmailServiceStack extends Stack {
  constructor(scope: Construct, id: string, props: TransactionalEmailProps) {
    super(scope, id, { description: 'Transactional email service' });
    // CDK leaves this id out of logical ids, so they are the same as before the construct.
    new TransactionalEmail(this, 'Default', props);
  }
}

import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { TransactionalEmail, type TransactionalEmailProps } from './transactional-email.ts';

export class EmailServiceStack extends Stack {
  constructor(scope: Construct, id: string, props: TransactionalEmailProps) {
    super(scope, id, { description: 'Transactional email service' });
    // CDK leaves this id out of logical ids, so they're the same as before the construct existed.
    new TransactionalEmail(this, 'Default', props);
  }
}

import { NestedStack } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { ReputationAlarms } from './reputation-alarms.ts';
import { ServiceDashboard, type ServiceDashboardProps } from './service-dashboard.ts';

export type WatchStackProps = ServiceDashboardProps & { readonly alarmTopic: ITopic };

/** What only watches: in a stack of its own, as CloudFormation takes 500 resources a stack. */
export class WatchStack extends NestedStack {
  constructor(scope: Construct, id: string, { alarmTopic, ...props }: WatchStackProps) {
    super(scope, id, { description: 'Transactional email service: dashboard and reputation' });
    this.nestedStackResource?.overrideLogicalId(id);
    new ReputationAlarms(this, 'Reputation', { alarmTopic });
    new ServiceDashboard(this, 'Overview', props);
  }
}

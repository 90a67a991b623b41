import { NestedStack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { EndpointStackName } from '#shared/endpoints/lambda';

/**
 * A stack inside the service's stack, deployed with it, for the endpoints of one subject: functions, roles,
 * log groups and routes. CloudFormation takes 500 resources a stack, and the service's own stack keeps its
 * for what must exist once.
 */
export class EndpointStack extends NestedStack {
  constructor(scope: Construct, name: EndpointStackName) {
    super(scope, name, { description: `Transactional email service: ${name}` });
    // The names of its functions and log groups begin with it: "EmailService-Templates-…".
    this.nestedStackResource?.overrideLogicalId(name);
  }
}

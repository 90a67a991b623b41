import { NestedStack, Stack } from 'aws-cdk-lib';
import type { Construct, IConstruct } from 'constructs';
import type { EndpointStackName } from '#shared/endpoints/lambda';

/**
 * Functions, roles, log groups and routes of the endpoints of one subject. CloudFormation takes 500 resources a stack,
 * and the service's own stack is for what must exist once.
 */
export class EndpointStack extends NestedStack {
  constructor(scope: Construct, name: EndpointStackName) {
    super(scope, name, { description: `Transactional email service: ${name}` });
    // The names of its functions and log groups start with it: "EmailService-Templates-…".
    const { scope: service = scope } = scope.node;
    this.nestedStackResource?.overrideLogicalId(`${logicalPrefixOf(service)}${name}`);
  }
}

/** Distinguishes names from others in the stack that the service is in: nothing in the service's own stack. */
export function logicalPrefixOf(service: IConstruct): string {
  const { scopes } = service.node;
  return scopes
    .slice(scopes.indexOf(Stack.of(service)) + 1)
    .map(({ node }) => (node.id === 'Default' ? '' : node.id.replaceAll(/[^A-Za-z0-9]/g, '')))
    .join('');
}

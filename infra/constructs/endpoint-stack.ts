import { NestedStack, Stack } from 'aws-cdk-lib';
import type { Construct, IConstruct } from 'constructs';
import type { EndpointStackName } from '#shared/endpoints/lambda';

/**
 * Functions, roles, log groups and routes of one subject's endpoints. CloudFormation allows 500 resources per stack,
 * and the service's own stack is for what must exist once.
 */
export class EndpointStack extends NestedStack {
  constructor(scope: Construct, name: EndpointStackName) {
    super(scope, name, { description: `Transactional email service: ${name}` });
    // Names of its functions and log groups start with this id: "EmailService-Templates-…".
    const { scope: service = scope } = scope.node;
    this.nestedStackResource?.overrideLogicalId(`${logicalPrefixOf(service)}${name}`);
  }
}

/** Distinguishes names from others in the same stack; empty in the service's own stack. */
export function logicalPrefixOf(service: IConstruct): string {
  const { scopes } = service.node;
  return scopes
    .slice(scopes.indexOf(Stack.of(service)) + 1)
    .map(({ node }) => (node.id === 'Default' ? '' : node.id.replaceAll(/[^A-Za-z0-9]/g, '')))
    .join('');
}

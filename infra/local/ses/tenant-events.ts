import { type HandlerLoader, invokeFunction } from '../gateway/function-invocation.ts';

/** Hands the event of a tenant, named by its ARN, to the function, as the stack's rule does. */
export const createTenantEvents =
  (loadHandler: HandlerLoader, report: (...fault: readonly unknown[]) => void) =>
  (arn: string): void => {
    const event = {
      source: 'aws.ses',
      // Whichever of the two it is: the function asks SES.
      'detail-type': 'Sending Status Disabled',
      resources: [arn],
    };
    invokeFunction(loadHandler, 'check-tenant', event).then(
      (outcome) => {
        if (outcome.kind === 'threw') report('check-tenant', outcome.error);
      },
      (fault: unknown) => report('check-tenant', fault),
    );
  };

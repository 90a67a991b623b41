import * as z from 'zod/mini';

const iamContext = z.object({ authorizer: z.object({ iam: z.object({}) }) });

/**
 * Whether API Gateway has checked that the caller's role may use the key in the path. Only a route with the IAM
 * authorizer has that in the context, which callers can't write.
 */
export const isAllowedByIam = ({ requestContext }: { readonly requestContext: unknown }): boolean =>
  iamContext.safeParse(requestContext).success;

/** The route table. The CDK stack and the local twin's gateway both read it. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** HTTP API path; `{name}` is a path parameter. */
  readonly path: string;
  /** Folder under `functions/`; also the construct id. */
  readonly functionName: string;
};

export const routes = [
  { method: 'POST', path: '/api/v1/emails/send', functionName: 'send-email' },
  { method: 'POST', path: '/api/v1/emails/send-global', functionName: 'send-global-email' },
  { method: 'GET', path: '/api/v1/sends/{id}', functionName: 'get-send' },
] as const satisfies readonly Route[];

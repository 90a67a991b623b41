/** A body as the front door hands it over, with the headers of its request by lower-case name. */
export type RawBody = {
  readonly body: string | undefined;
  readonly isBase64Encoded: boolean;
  readonly headers: Readonly<Record<string, string | undefined>>;
};

import { Foreign } from '../parts/text.tsx';
import { addressWith } from '../shared/paging.ts';

/** Links to everything else sent with the key. */
export const KeyLink = ({ id, name }: { id: string; name: string | undefined }) => (
  <a href={addressWith('/console/emails', { key: id })} title={id}>
    <Name id={id} name={name} />
  </a>
);

export const Name = ({ id, name }: { id: string; name: string | undefined }) =>
  name === undefined ? <code>{id}</code> : <Foreign text={name} most={100} />;

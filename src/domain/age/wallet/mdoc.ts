import { z } from 'zod';
export {
  CoseKey,
  DeviceKey,
  DeviceRequest,
  DeviceResponse,
  DocRequest,
  Holder,
  Issuer,
  IssuerSigned,
  ItemsRequest,
  QrHandover,
  SessionTranscript,
  base64url,
  cborDecode,
  cborEncode,
} from '@owf/mdoc';

export type { MdocContext } from '@owf/mdoc';

// The library words the faults of all schemas of the process when it is loaded; ours are in `input-faults.ts`.
z.config({ customError: undefined });

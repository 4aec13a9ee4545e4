import { type ClientRequest, request } from 'node:http';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import type { Db } from '#domain/kernel/db.ts';
import { createSession, createUser, createVoice } from './factories.ts';

export type Uploader = { id: string; token: string; voice: { id: string; slug: string } };

/** A user who owns a voice. */
export async function newUploader(db: Db): Promise<Uploader> {
  const [{ id }, voice] = [await createUser(db), await createVoice(db)];
  await setVoiceOwner(db, voice.id, id, true);
  return { id, voice, token: (await createSession(db, id)).token };
}

/** One request of the tus protocol. */
export function sendTus(
  address: string,
  by: Pick<Uploader, 'token'> | undefined,
  method: string,
  headers: Record<string, string> = {},
  body?: Uint8Array,
): Promise<Response> {
  return fetch(address, {
    method,
    headers: {
      'tus-resumable': '1.0.0',
      ...(by && { authorization: `Bearer ${by.token}` }),
      ...(method === 'PATCH' && { 'content-type': 'application/offset+octet-stream' }),
      ...headers,
    },
    ...(body && { body: new Uint8Array(body) }),
  });
}

export function tusMetadata(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join();
}

/** @returns the path of the new upload */
export async function createUpload(url: string, by: Uploader, bytes: number, fileName = 'one.wav'): Promise<string> {
  const answer = await sendTus(`${url}/uploads`, by, 'POST', {
    'upload-length': String(bytes),
    'upload-metadata': tusMetadata({ voiceId: by.voice.id, fileName }),
  });
  const path = answer.headers.get('location');
  if (path === null) throw new Error(`${answer.status} ${await answer.text()}`);
  return path;
}

/** A part that stops in the middle, without an end. */
export function sendHalf(address: string, by: Uploader, bytes: number, part: Uint8Array): ClientRequest {
  const sent = request(address, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${by.token}`,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': bytes,
    },
  });
  // It ends when the test says so, or with the site.
  sent.on('error', () => {});
  sent.write(part);
  return sent;
}

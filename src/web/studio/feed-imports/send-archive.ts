import type { DetailedError } from 'tus-js-client';
import { dropToken, errorIn, sessionToken } from '../uploads/upload-request.ts';

export type ArchiveOutcome = { ok: true } | { ok: false; message: string | undefined };

/**
 * Sends an archive in parts, which go on by themselves after a lost connection, as long as the page is open. With its last
 * part its import begins.
 */
export async function sendArchive(
  file: File,
  voiceId: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (percent: number) => void },
): Promise<ArchiveOutcome> {
  const module = await import('tus-js-client').catch(() => undefined);
  if (module === undefined || signal.aborted) return { ok: false, message: undefined };
  return new Promise((resolve) => {
    const upload = new module.Upload(file, {
      endpoint: '/uploads',
      metadata: { voiceId, fileName: file.name, isArchive: 'true' },
      chunkSize: 16 * 1024 * 1024,
      retryDelays: [1000, 3000, 10_000, 30_000, 60_000, 60_000],
      storeFingerprintForResuming: false,
      onBeforeRequest: async (request) => {
        const token = await sessionToken();
        if (token !== undefined) request.setHeader('Authorization', `Bearer ${token}`);
      },
      onProgress: (sent, all) => onProgress(Math.floor((sent * 100) / Math.max(1, all))),
      onSuccess: () => resolve({ ok: true }),
      onError: (error) => {
        const response = (error as DetailedError).originalResponse;
        if (response?.getStatus() === 401) dropToken();
        resolve({ ok: false, message: errorIn(response?.getBody()).message });
      },
    });
    signal.addEventListener('abort', () => void upload.abort(true));
    upload.start();
  });
}

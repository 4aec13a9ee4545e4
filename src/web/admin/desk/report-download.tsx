import type { ReactNode } from 'react';
import { api } from '#web/api.ts';
import { DownloadButton } from '#web/workshop/download-button.tsx';

type ReportDownloadProps = {
  /** A month such as `2026-10`, or a year. */
  period: string;
  format: 'csv' | 'pdf';
  className: string;
  label?: string;
  children: ReactNode;
};

export function ReportDownload({ period, format, ...button }: ReportDownloadProps) {
  const load = () => api.admin['notice-reports'][':period'].$get({ param: { period }, query: { format } });
  return <DownloadButton name={`notices-${period}.${format}`} load={load} {...button} />;
}

/** How a target may answer where a real system behind it fails. */

/** Whether a status is that of a refusal for a reason of the backend: anything but success, and no crash of the connection. */
export const isBackendFailure = (status: number): boolean => (status >= 400 && status < 500) || status === 500 || status === 502

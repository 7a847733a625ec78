{{- define "parlance.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 53 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 53 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "parlance.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "parlance.labels" -}}
{{ include "parlance.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "parlance.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "parlance.name" .) }}
{{- else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- define "parlance.image" -}}
{{- if .Values.image.digest }}{{ printf "%s@%s" .Values.image.repository .Values.image.digest }}
{{- else }}{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}{{ end }}
{{- end }}

{{- define "parlance.secret" -}}
{{- required "secret.name: create the secret first, see docs/packages.md" .Values.secret.name }}
{{- end }}

{{- define "parlance.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
# The group may read the mounted secrets, which root owns.
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "parlance.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "parlance.secretVolume" -}}
- name: secret
  secret:
    secretName: {{ include "parlance.secret" . }}
    # The program refuses a master key that others may read.
    defaultMode: 0440
{{- end }}

{{- /* The settings that the chart sets by values of its own, as variables. */}}
{{- define "parlance.ownSettings" -}}
PARLANCE_LISTEN: 0.0.0.0:8080
PARLANCE_HEALTH_LISTEN: 0.0.0.0:8081
PARLANCE_METRICS_LISTEN: 0.0.0.0:9090
PARLANCE_LOG_FORMAT: json
PARLANCE_TRUSTED_PROXIES: {{ .Values.trustedProxies | quote }}
PARLANCE_SHUTDOWN_DELAY_SECONDS: {{ .Values.shutdownDelaySeconds | quote }}
PARLANCE_SHUTDOWN_TIMEOUT_SECONDS: {{ .Values.shutdownTimeoutSeconds | quote }}
PARLANCE_DATABASE_URL_FILE: /run/parlance/{{ .Values.secret.keys.databaseUrl }}
PARLANCE_MASTER_KEY_FILE: /run/parlance/{{ .Values.secret.keys.masterKey }}
PARLANCE_FEED_SIGNING_KEY_FILE: /run/parlance/{{ .Values.secret.keys.feedSigningKey }}
{{- with .Values.secret.keys.redisUrl }}
PARLANCE_REDIS_URL_FILE: /run/parlance/{{ . }}
{{- end }}
{{- with .Values.secret.keys.vocabularyDeliverySecret }}
PARLANCE_VOCABULARY_DELIVERY_SECRET_FILE: /run/parlance/{{ . }}
{{- end }}
{{- with .Values.publicUrl }}
PARLANCE_PUBLIC_URL: {{ . | quote }}
{{- end }}
{{- if .Values.feeds.url }}
PARLANCE_FEEDS_URL: {{ .Values.feeds.url | quote }}
{{- else }}
PARLANCE_FEED_EXPORT_AT: never
{{- end }}
{{- end }}
